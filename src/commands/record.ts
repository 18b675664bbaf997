import { join } from 'node:path';
import { type Claim, loadClaims, pickClaims } from '../claims/index.ts';
import { configOf, inferArguments } from '../replay/index.ts';
import { findJava } from '../tlc/index.ts';
import { printItf, type Trace } from '../trace/index.ts';
import { exitCodeOf, needJar } from './check.ts';
import { runChecks } from './checks.ts';
import { AS_CLAIMED, type Io, NOT_AS_CLAIMED, printJson, UsageError, worst } from './io.ts';
import { needWritableFolder, save } from './output.ts';
import { plural } from './show.ts';
import { ITF_ENDING, tracesFolder } from './traces.ts';

export interface RecordCommand {
  readonly out?: string;
  readonly json?: boolean;
  readonly jobs: number;
}

/** `leader-epoch record [claim…]`: counterexamples made anew, with their pages. Never from a kept outcome. */
export async function record(names: readonly string[], options: RecordCommand, io: Io): Promise<number> {
  const picked = pickClaims(loadClaims(), names, ({ verdict, set }) => verdict === 'violated' && set !== 'deep');
  const holding = picked.find(({ verdict }) => verdict === 'holds');
  if (holding) throw new UsageError(`The claim "${holding.claim}" holds: it has no counterexample to record.`);
  const java = await findJava({ env: io.env });
  if (!java.ok) throw new UsageError(java.message);
  await needJar(io);
  const silent = options.json === true;
  const folder = options.out ?? tracesFolder;
  await needWritableFolder(folder);
  const results = await runChecks(picked, io, { fresh: true, jobs: options.jobs, silent });
  const files: string[] = [];
  const codes = [exitCodeOf(results, picked.length)];
  for (const { claim, trace } of results) {
    if (trace === null) continue;
    const inferred = inferArguments(trace, configOf(trace));
    if (inferred.kind !== 'known') {
      io.err(
        `${claim.claim}: the implementation does not follow step ${inferred.index}, ${inferred.action}: not recorded.`,
      );
      codes.push(NOT_AS_CLAIMED);
      continue;
    }
    files.push(...(await write(claim, inferred.trace, folder)));
  }
  const exitCode = worst(codes);
  if (silent) printJson(io, 'record', exitCode, { files });
  else if (exitCode === AS_CLAIMED) io.out(`Recorded ${plural(files.length / 2, 'counterexample')} in ${folder}.`);
  return exitCode;
}

async function write(claim: Claim, trace: Trace, folder: string): Promise<string[]> {
  const { tracePage } = await import('../report/index.ts');
  const itf = join(folder, `${claim.claim}${ITF_ENDING}`);
  const page = join(folder, `${claim.claim}.md`);
  await save(itf, printItf(trace));
  await save(
    page,
    tracePage(trace, {
      claim: claim.claim,
      title: claim.title,
      story: claim.story,
      property: String(trace.meta.property),
      profile: claim.profile,
      verdict: claim.verdict,
      bound: claim.bound,
      command: `npx leader-epoch record ${claim.claim}`,
      ...(claim.why === undefined ? {} : { why: claim.why }),
    }),
  );
  return [itf, page];
}
