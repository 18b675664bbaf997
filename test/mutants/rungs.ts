import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isOfTheProtocol, loadClaims, modelConfig } from '../../src/claims/index.ts';
import { dumpGraph } from '../../src/conform/index.ts';
import { cacheFolder, hashOfFiles } from '../../src/tlc/index.ts';
import { ROOT } from './sandbox.ts';

/** A model that mutants are held against, and where its graph is. */
export interface Rung {
  readonly model: string;
  /** Instead of the model's own. */
  readonly profile: string | null;
  readonly file: string;
}

type Step = readonly [model: string, profile: string | null];

/** Small models that together tell the rules apart: TLC makes the graph of each in seconds. */
export const SMALL: readonly Step[] = [
  ['SecondRoundTold', null],
  ['EpochFileLaterLoss', null],
  ['HwOnIsrReply', null],
  ['UndefinedEpoch', null],
  ['JoinsIsr', 'Kafka_1_1_0'],
  ['JoinsIsr', 'Kafka_2_0_1'],
  ['JoinsIsr', 'Kafka_2_8_0'],
  ['JoinsIsr', 'Kafka_4_4'],
  ['CountsProposedIsr', null],
  ['PowerLossTakesAll', null],
  ['PowerLossTakesAll', 'Kafka_2_0_0'],
  ['PowerLossTakesAll', 'FlushesEpochsLater'],
  ['DelayedHw', null],
  ['MinIsrAlone', null],
  ['MinIsrAlone', 'Kafka_4_4'],
];

/** For what survives them: rules that no small model of their own has, and larger models. */
export const LADDER: readonly Step[] = [
  ...SMALL,
  ['HwOnIsrReply', 'NoHwOnIsrReply'],
  ['MinIsrAlone', 'Kafka_0_10_2'],
  ['MinIsrAlone', 'TakesLateAnswers'],
  ['MinIsrAlone', 'Kafka_2_8_LateReplies'],
  ['PowerLossTakesAll', 'LeaderLogEnd'],
  ['PowerLossTakesAll', 'LeaderHighWatermark'],
  ['PowerLossTakesAll', 'NextHigherEpoch'],
  ['PowerLossTakesAll', 'EpochsInMemory'],
  ['StaleAnswer', null],
  ['LateNewsKip320', null],
  ['AsksForIsr', null],
  ['EligibleLeaders', null],
  ['LeaderLogEnd', null],
];

/** The largest model of the quick set: it takes seconds for each mutant, so it judges what the tests of src/replica have left, too. */
export const LARGEST: Step = ['Kip320CleanThree', null];

/** The largest of the quick models whose size is known: whatever survives must have been held against it. */
export function checkLargest(): void {
  const sizes = loadClaims().flatMap(({ counts, model, set }) =>
    set !== 'deep' && isOfTheProtocol(modelConfig(model)) && counts.states !== undefined
      ? [[model, counts.states] as const]
      : [],
  );
  const [largest = ''] = sizes.sort(([, a], [, b]) => b - a)[0] ?? [];
  if (LARGEST[0] !== largest) throw new Error(`The largest model of the quick set is ${largest}, not ${LARGEST[0]}.`);
}

/** Where TLC's graph of a model is, or will be: beside what TLC found earlier, under a hash of the specification. */
export async function rungOf([model, profile]: Step): Promise<Rung> {
  const folder = join(await cacheFolder(process.env), 'mutants');
  return { model, profile, file: join(folder, `${model}-${profile ?? 'own'}-${await hashOf(model)}.dot`) };
}

/** Makes the graph, if it is not there. */
export async function makeGraph({ file, model, profile }: Rung): Promise<void> {
  if (existsSync(file)) return;
  const folder = dirname(file);
  await mkdir(folder, { recursive: true });
  const beginning = `${model}-${profile ?? 'own'}-`;
  for (const old of await readdir(folder)) if (old.startsWith(beginning)) await rm(join(folder, old));
  const made = join(folder, `made-${process.pid}.dot`);
  const dump = await dumpGraph(model, { file: made, ...(profile === null ? {} : { profile }) });
  if (dump.kind !== 'graph') throw new Error(`${model}: ${dump.reason}`);
  await rename(made, file);
}

async function hashOf(model: string): Promise<string> {
  const modules = (await readdir(join(ROOT, 'spec'))).filter((name) => name.endsWith('.tla')).sort();
  const files = [...modules, `models/${model}.tla`, `models/${model}.cfg`].map((name) => `spec/${name}`);
  return (await hashOfFiles(ROOT, [], [...files, 'src/conform/dump.ts'])).slice(0, 16);
}

export function nameOf({ model, profile }: Pick<Rung, 'model' | 'profile'>): string {
  return profile === null ? model : `${model} under ${profile}`;
}
