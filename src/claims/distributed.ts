import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DistributedOptions, runTlc } from '../tlc/index.ts';
import { type CheckOptions, type ClaimResult, judge, modelConfig } from './check.ts';
import { type Claim, specFolder } from './claims.ts';

/** Why TLC's distributed mode cannot settle a claim; null: it can. */
export function whyNotDistributed(claim: Claim, folder = specFolder): string | null {
  if (claim.verdict === 'violated') return 'TLC shows the last step of a counterexample there, not the way to it';
  const { substitutions, properties } = modelConfig(claim.model, folder);
  if (substitutions.has('Told')) return 'it follows one schedule by the depth of the search, and there is no TLCGet';
  if (properties.some((name) => name.endsWith('Prop'))) return 'it is about liveness, which is not checked there';
  return null;
}

/** TLC's message code before the step that breaks something; in the distributed mode it does not say what. */
const BROKEN = 'STARTMSG 2121:';

/**
 * As `checkClaim`, by a server and workers, for a claim that must hold. Less is known: interesting states are not
 * watched for (`Watched` needs TLCGet), the depth is not exact, and what is broken is found, but not named.
 */
export async function checkDistributed(
  claim: Claim,
  distributed: DistributedOptions,
  options: Omit<CheckOptions, 'fresh'> = {},
): Promise<ClaimResult> {
  const { folder = specFolder, ...rest } = options;
  const own = await mkdtemp(join(tmpdir(), 'leader-epoch-distributed-'));
  try {
    const config = join(own, `${claim.model}.cfg`);
    const text = await readFile(join(folder, 'models', `${claim.model}.cfg`), 'utf8');
    await writeFile(config, text.replace(/^(INVARIANTS? .*)\bWatched\b/m, '$1'));
    const output: string[] = [];
    const result = await runTlc({
      spec: join(folder, 'models', `${claim.model}.tla`),
      config,
      library: [folder],
      checkDeadlock: false,
      distributed,
      onOutput: (chunk) => output.push(Buffer.from(chunk).toString('utf8')),
      ...rest,
    });
    // Workers overtake each other: the depth need not be the shortest way.
    const { depth: _, ...counts } = claim.counts;
    const isBroken = output.join('').includes(BROKEN);
    const what = `${claim.property.join(' or ')} is violated: check without --distributed to see which, and how`;
    return {
      claim,
      verdict: isBroken ? { kind: 'notAsClaimed', reasons: [what] } : judge({ ...claim, counts }, result, []),
      trace: null,
      statistics: result.statistics,
      durationMs: result.durationMs ?? 0,
      kept: false,
    };
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}
