import { isDeepStrictEqual } from 'node:util';
import { type MendResult, mend, ReplayProblem, type ReplayResult, replay } from '../replay/index.ts';
import type { Observation, System } from '../systems/system.ts';
import type { Trace } from '../trace/index.ts';
import { AS_CLAIMED, COULD_NOT_TELL, NOT_AS_CLAIMED, UsageError } from './io.ts';

/** A counterexample's schedule on one release: what its profile predicts, and what its classes did. */
export interface Cell {
  readonly claim: string;
  readonly release: string;
  /** Its name. */
  readonly system: string;
  readonly prediction: MendResult;
  /** Null where the schedule is impossible under the release's rules, or where the brokers failed. */
  readonly seen: ReplayResult | null;
  /** What went wrong with the brokers themselves; null: nothing. */
  readonly failure: string | null;
  /** It stopped at a step that such a system can never be brought to take there: equal so far, and no evidence of what follows. */
  readonly endsEarly: boolean;
  /** What the system showed in the end. */
  readonly last: Observation | null;
  /** Of each run; they are compared with the first. */
  readonly ms: readonly number[];
  readonly different: number;
}

/** What cells of one column have in common. */
export interface Column {
  readonly release: string;
  readonly profile: string;
  readonly times: number;
}

export async function runCell(claim: string, trace: Trace, column: Column, system: System): Promise<Cell> {
  const { release, profile, times } = column;
  const prediction = mend(withoutEligibleLeaders(trace), profile);
  const cell = {
    claim,
    release,
    system: system.name,
    prediction,
    seen: null,
    failure: null,
    endsEarly: false,
    last: null,
    ms: [],
    different: 0,
  };
  if (prediction.kind === 'refused') return cell;
  const results: ReplayResult[] = [];
  const ms: number[] = [];
  try {
    while (results.length < times) {
      const started = performance.now();
      results.push(await replay(prediction.trace, system));
      ms.push(performance.now() - started);
    }
  } catch (error) {
    if (error instanceof Error && error.name === 'BrokerError') return { ...cell, ms, failure: error.message };
    if (!(error instanceof ReplayProblem)) throw error;
    throw new UsageError(`${claim}: ${error.message}`);
  }
  const [first] = results;
  const different = results.filter((result) => !isDeepStrictEqual(result, first)).length;
  const endsEarly = first?.kind === 'refused' && first.never === true;
  return { ...cell, seen: first ?? null, endsEarly, last: await system.observe(), ms, different };
}

/** Here we play the controller, and keep none: what only it could elect is not possible there. */
function withoutEligibleLeaders(trace: Trace): Trace {
  const constants = [...(trace.constants ?? [])].filter(([name]) => name !== 'EligibleLeaders');
  return { ...trace, constants: new Map(constants) };
}

/** Predicted and seen are the same, step by step and in every run: whether the record is lost or kept. */
export function agrees({ seen, failure, endsEarly, different }: Cell): boolean {
  return failure === null && different === 0 && (seen === null || endsEarly || seen.kind === 'conforms');
}

export function moodOf(cell: Cell): 'good' | 'bad' | 'unknown' {
  if (!agrees(cell)) return 'bad';
  return cell.endsEarly ? 'unknown' : 'good';
}

export function exitCodeOf(cell: Cell): number {
  if (agrees(cell)) return AS_CLAIMED;
  return cell.failure === null ? NOT_AS_CLAIMED : COULD_NOT_TELL;
}

export function outcomeOf({ prediction, endsEarly }: Cell): string {
  if (endsEarly) return '?';
  if (prediction.kind === 'refused') return 'not possible';
  if (prediction.broken !== null) return 'broken';
  return prediction.kind === 'stuck' ? 'never ends' : 'kept';
}

export function plainCell(cell: Cell) {
  const { claim, release, prediction, seen, failure, ms, different } = cell;
  return {
    claim,
    release,
    system: cell.system,
    profile: prediction.profile,
    agrees: agrees(cell),
    predicted: outcomeOf(cell),
    brokenAt: prediction.broken,
    endsEarly: cell.endsEarly,
    seen: seen?.kind ?? null,
    at: seen !== null && 'at' in seen ? seen.at : null,
    steps: seen?.steps ?? 0,
    notObservable: seen?.notObservable ?? [],
    hidden: seen?.hidden ?? [],
    failure,
    runs: ms.length,
    different,
    ms: ms.map(Math.round),
  };
}
