import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { hashOfFiles } from '../tlc/index.ts';
import type { Outcome } from './conformGraph.ts';
import { exitCodeOf } from './conformText.ts';
import { AS_CLAIMED, UsageError } from './io.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** What a result depends on, beside a system that is not ours. */
const MADE_OF = ['spec', 'src/conform', 'src/disk', 'src/graph', 'src/replay', 'src/replica', 'src/systems'];

/** Of each line. */
const BEGINNING = '{"model":';

const kept = z.object({
  model: z.string(),
  profile: z.string().nullable(),
  system: z.string(),
  /** A hash of the specification and the implementation. */
  of: z.string(),
  verdict: z.enum(['conforms', 'leftOut']),
  /** Of the graph; of one that was left out, what it has more than. */
  states: z.number().int(),
  steps: z.number().int().optional(),
  tlcMs: z.number().nullable().optional(),
  checkMs: z.number().optional(),
});
type Kept = z.infer<typeof kept>;

/** Results that a file keeps, one a line: a long run that was stopped goes on where it was, and one with another bound adds to it. */
export class Results {
  readonly #file: string;
  readonly #of: string;
  readonly #known: Kept[];

  private constructor(file: string, of: string, known: readonly Kept[]) {
    this.#file = file;
    this.#of = of;
    this.#known = known.filter((one) => one.of === of);
  }

  /** @throws UsageError for a file that is something else */
  static async in(file: string): Promise<Results> {
    const of = (await hashOfFiles(root, MADE_OF, [])).slice(0, 16);
    const text = begin(file);
    const known = parse(text, file);
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    if (whole !== text) writeFileSync(file, whole);
    return new Results(file, of, known);
  }

  /** What is known of a model already: that it conforms, or that it has more states than are asked for. */
  outcomeOf(
    model: string,
    profile: string | undefined,
    system: string,
    maxStates = Number.POSITIVE_INFINITY,
  ): Outcome | null {
    const same = this.#known.filter((one) => one.model === model && one.profile === (profile ?? null));
    const hasMore = same.some((one) => (one.verdict === 'leftOut' ? one.states >= maxStates : one.states > maxStates));
    if (hasMore) return { kind: 'leftOut', maxStates };
    const done = same.find((one) => one.verdict === 'conforms' && one.system === system);
    if (done === undefined) return null;
    const { states, steps = 0, tlcMs = null, checkMs = 0 } = done;
    return { kind: 'kept', states, steps, times: { tlc: tlcMs, check: checkMs } };
  }

  /** Keeps a result, if it is as it should be: what differs, or could not be told, is looked at again. */
  add(model: string, profile: string | undefined, system: string, outcome: Outcome): void {
    if (exitCodeOf(outcome) !== AS_CLAIMED) return;
    const key = { model, profile: profile ?? null, system, of: this.#of };
    if (outcome.kind === 'leftOut') this.#keep({ ...key, verdict: 'leftOut', states: outcome.maxStates });
    if (outcome.kind !== 'checked') return;
    const { result, times } = outcome;
    const { states, steps } = result;
    const tlcMs = times.tlc === null ? null : Math.round(times.tlc);
    this.#keep({ ...key, verdict: 'conforms', states, steps, tlcMs, checkMs: Math.round(times.check) });
  }

  #keep(one: Kept): void {
    appendFileSync(this.#file, `${JSON.stringify(one)}\n`);
    this.#known.push(one);
  }
}

/** What is in the file, which is made if there is none: that it cannot be written is said at once, and not after hours. */
function begin(file: string): string {
  try {
    appendFileSync(file, '');
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be written (${(error as NodeJS.ErrnoException).code}): choose another place.`);
  }
}

function parse(text: string, file: string): Kept[] {
  const lines = text.split('\n');
  // The last line of a run that was killed may be cut off.
  if (lines.at(-1)?.startsWith(BEGINNING)) lines.pop();
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return [];
    try {
      return [kept.parse(JSON.parse(line))];
    } catch {
      const expected = 'expected a result that an earlier run has kept there. Is it another file?';
      throw new UsageError(`${file}, line ${index + 1}: ${expected}`);
    }
  });
}
