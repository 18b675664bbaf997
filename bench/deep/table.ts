import { z } from 'zod';

const deepRunSchema = z.strictObject({
  claim: z.string(),
  profile: z.string(),
  bound: z.string(),
  /** Distinct states, or the states of random behaviours. */
  states: z.number().int().positive(),
  /** Of the search, or of each behaviour. */
  depth: z.number().int().positive(),
  /** `ended`: all there is was seen; `stopped`: at the limit of states or time; `random`: so many behaviours. */
  how: z.union([z.literal('ended'), z.literal('stopped'), z.strictObject({ random: z.number().int().positive() })]),
  /** The property that is violated, after how many states. */
  violated: z.strictObject({ property: z.string(), length: z.number().int() }).optional(),
  /** Of the interesting states that the claim's model watches for: how many were reached. */
  reached: z.number().int().nonnegative(),
  watched: z.number().int().nonnegative(),
  cpuSeconds: z.number().nonnegative(),
  peakMb: z.number().nonnegative(),
});

/** What came of a claim's model in a deep bound. */
export type DeepRun = z.infer<typeof deepRunSchema>;

/** @throws Error naming the file and the JSON path */
export function readDeep(text: string, file: string): DeepRun[] {
  const read = z.array(deepRunSchema).safeParse(JSON.parse(text));
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  throw new Error(`${file}: at ${issue?.path.join('.') || 'the top'}: ${issue?.message}.`);
}

export function printDeep(runs: readonly DeepRun[]): string {
  return `[\n${runs.map((run) => `  ${JSON.stringify(run)}`).join(',\n')}\n]\n`;
}

export function deepTable(runs: readonly DeepRun[]): string {
  const lines = runs.map((run) => {
    const cells = [
      ...[run.profile, `\`${run.claim}\``, run.bound, inWords(run)],
      ...[
        `${run.reached} of ${run.watched}`,
        `${Math.round(run.cpuSeconds)} s`,
        `${run.peakMb.toLocaleString('en')} MB`,
      ],
    ];
    return `| ${cells.join(' | ')} |\n`;
  });
  const header =
    '| rule | claim | bound | came to | interesting states | processor | memory |\n|---|---|---|---|---|---|---|\n';
  return header + lines.join('');
}

/** `nothing found; stopped at 300,001 states, depth 11`. */
export function inWords({ states, depth, how, violated }: DeepRun): string {
  const counted = `${states.toLocaleString('en')} states`;
  const found =
    violated === undefined ? 'nothing found' : `${violated.property} violated after ${violated.length} states`;
  if (how === 'ended') return `${found}; all ${counted}, depth ${depth}`;
  if (how === 'stopped') return `${found}; stopped at ${counted}, depth ${depth}`;
  return `${found}; ${how.random.toLocaleString('en')} random behaviours of up to ${depth} steps, ${counted}`;
}
