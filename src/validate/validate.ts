import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { explainFailure, specFolder } from '../claims/index.ts';
import { toObservation } from '../replay/index.ts';
import type { Observation } from '../systems/system.ts';
import { parse, type Value } from '../tla/index.ts';
import { runTlc, type TlcOutcome } from '../tlc/index.ts';
import { type Blocked, blockedAt, type Place, renamed } from './explain.ts';
import type { RunLog } from './readLog.ts';
import { type Reach, reachOf } from './steps.ts';
import { MODULE, taskFor } from './toTla.ts';

/** Whether a log is explained by a behaviour of the specification. */
export type Validation =
  | { readonly kind: 'conforms'; readonly events: number; readonly states: number }
  /** The longest part that is: `matched` events, up to these lines of each process, and where that may lead. */
  | {
      readonly kind: 'differs';
      readonly matched: number;
      readonly events: number;
      readonly lastLines: ReadonlyMap<string, number | null>;
      readonly places: readonly Place[];
      /** What nothing explains, the nearest to being explained first. */
      readonly blocked: readonly Blocked[];
    }
  | { readonly kind: 'couldNotTell'; readonly reason: string };

export interface ValidateOptions {
  /** By how many lines an event may stand later than it happened, beside those of other processes. Default 5. */
  readonly slack?: number;
  readonly folder?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
  readonly onProgress?: (matched: number) => void;
}

/** States that are worth a look where a log is not explained. */
const MOST_STATES = 5;

/** Lets TLC look for a behaviour that explains the log, breadth first: the first one found is enough. */
export async function validate(log: RunLog, options: ValidateOptions = {}): Promise<Validation> {
  const own = await mkdtemp(join(tmpdir(), 'leader-epoch-log-'));
  const reach = reachOf(log);
  const search = async (ending: { matched: number; states: number } | null) => {
    const { module, config } = taskFor(log, reach, options.slack ?? 5, ending);
    const spec = join(own, `${MODULE}.tla`);
    await writeFile(spec, module);
    await writeFile(join(own, `${MODULE}.cfg`), config);
    return runTlc({
      spec,
      library: [options.folder ?? specFolder],
      checkDeadlock: false,
      maxUserOutputLines: 2 * log.events.length + 100,
      ...(options.env && { env: options.env }),
      ...(options.signal && { signal: options.signal }),
      onOutput: (chunk) => {
        const last = [...Buffer.from(chunk).toString().matchAll(MATCHED)].at(-1);
        if (last !== undefined && ending === null) options.onProgress?.(Number(last[1]));
      },
    });
  };
  try {
    const { outcome, statistics, userOutput } = await search(null);
    if (!isEnd(outcome)) return { kind: 'couldNotTell', reason: explainFailure(outcome) };
    const matched = userOutput.reduce(
      (most, line) => Math.max(most, Number(/^<<"matched", (\d+)>>$/.exec(line.trim())?.[1] ?? 0)),
      0,
    );
    const events = log.events.length;
    if (matched === events) return { kind: 'conforms', events, states: statistics.distinct ?? 0 };
    const again = await search({ matched, states: MOST_STATES });
    if (!isEnd(again.outcome)) return { kind: 'couldNotTell', reason: explainFailure(again.outcome) };
    const places = placesIn(again.userOutput.join('\n'), log, reach);
    if (places.length === 0) return { kind: 'couldNotTell', reason: 'TLC did not show where the log ends' };
    return {
      kind: 'differs',
      matched,
      events,
      lastLines: lastLinesOf(log, places[0]!),
      places,
      blocked: blockedAt(log, reach, places),
    };
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

const MATCHED = /<<"matched", (\d+)>>/g;

function isEnd(outcome: TlcOutcome): boolean {
  return outcome.kind === 'success';
}

/** `<<"state", at, names, [log |-> …]>>`, over as many lines as TLC takes. */
function placesIn(output: string, log: RunLog, reach: Reach): Place[] {
  return output
    .split(/^(?=<<\s*"state")/m)
    .filter((text) => /^<<\s*"state"/.test(text))
    .map((text) => placeOf(parse(text.trim()), log, reach));
}

function placeOf(value: Value, log: RunLog, reach: Reach): Place {
  const [, at, names, state] = value.kind === 'tuple' ? value.elements : [];
  if (at === undefined || names?.kind !== 'tuple' || state?.kind !== 'record') {
    throw new TypeError('LoggedRun.tla prints another kind of state');
  }
  const counts = new Map<string, number>();
  for (const process of new Set(log.events.map(({ by }) => by))) counts.set(process, countOf(at, process));
  const places = names.elements.map((one) => (one.kind === 'int' ? Number(one.value) : 0));
  const given = places.map((at) => reach.ids[at - 1]);
  const shown = renamed(toObservation(state.fields), given) as Observation;
  return { explained: counts, names: places, state: state.fields, shown };
}

function countOf(at: Value, process: string): number {
  const entries =
    at.kind === 'record'
      ? [...at.fields]
      : at.kind === 'function'
        ? at.entries.map(([key, part]) => [key.kind === 'string' ? key.value : '', part] as const)
        : [];
  const found = entries.find(([name]) => name === process)?.[1];
  return found?.kind === 'int' ? Number(found.value) : 0;
}

function lastLinesOf({ events }: RunLog, { explained }: Place): Map<string, number | null> {
  return new Map(
    [...explained].map(([process, count]) => [
      process,
      events.filter(({ by }) => by === process)[count - 1]?.line ?? null,
    ]),
  );
}
