import { basename } from 'node:path';
import { shrink, stepsOfTrace } from '../conform/index.ts';
import { configOf, inferArguments, judges, ReplayProblem, showStep } from '../replay/index.ts';
import { printItf } from '../trace/index.ts';
import { AS_CLAIMED, type Io, NOT_AS_CLAIMED, printJson, UsageError } from './io.ts';
import { needPlaceFor, save } from './output.ts';
import { writePage } from './report.ts';
import { plural } from './show.ts';
import { readTrace } from './traces.ts';

export interface ShrinkCommand {
  readonly out?: string;
  /** A page that opens with the shorter one. */
  readonly page?: string;
  readonly json?: boolean;
}

/** `leader-epoch shrink <trace>`: a locally minimal schedule that breaks the same property, with the implementation as judge. */
export async function shrinkTrace(file: string, options: ShrinkCommand, io: Io): Promise<number> {
  const given = await readTrace(file);
  await needPlaceFor(options.out);
  const property = String(given.meta.property ?? '');
  if (!Object.hasOwn(judges, property)) {
    const known = Object.keys(judges).join(', ');
    throw new UsageError(`${file} does not say which property it breaks (#meta, property). There are ${known}.`);
  }
  const config = configOf(given);
  const inferred = inferArguments(given, config);
  if (inferred.kind !== 'known') {
    throw new ReplayProblem(`${file}: the implementation does not follow step ${inferred.index}, ${inferred.action}.`);
  }
  const steps = stepsOfTrace(inferred.trace);
  const shrunk = shrink(steps, config, property, given);
  if (shrunk === null) {
    if (options.json === true) printJson(io, 'shrink', NOT_AS_CLAIMED, { property, steps: null });
    else io.out(`${file} does not break ${property}: there is nothing to shrink.`);
    return NOT_AS_CLAIMED;
  }
  if (options.out !== undefined) await save(options.out, printItf(shrunk.trace));
  if (options.page !== undefined) {
    const name = `${basename(file).replace(/(\.itf)?\.json$/, '')}-shrunk`;
    await writePage(options.page, io, { name, text: printItf(shrunk.trace) });
  }
  if (options.json === true) {
    const { broken, runs } = shrunk;
    printJson(io, 'shrink', AS_CLAIMED, { property, before: steps.length, steps: shrunk.steps, broken, runs });
  } else {
    io.out(`${plural(shrunk.steps.length, 'step')} of ${steps.length} break ${property}: ${shrunk.broken}.`);
    shrunk.steps.forEach((step, index) => {
      io.out(`${String(index + 1).padStart(4)}  ${showStep(step)}`);
    });
    for (const line of whereItIs(options)) io.out(line);
  }
  return AS_CLAIMED;
}

/** What there is to look at now, and how. */
function whereItIs({ out, page }: ShrinkCommand): string[] {
  return [
    ...(out === undefined
      ? []
      : [`${out} has it as ITF: \`leader-epoch replay ${out} --story\` tells it step by step.`]),
    ...(page === undefined ? [] : [`${page} opens with it, in a browser.`]),
  ];
}
