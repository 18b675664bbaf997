import { type ReplayResult, showStep } from '../replay/index.ts';
import { differences, table } from '../report/index.ts';
import { type Io, wantsColour } from './io.ts';
import { agrees, type Cell, outcomeOf } from './kafkaCell.ts';
import { plural } from './show.ts';

export function cellText(cell: Cell): string {
  const { prediction, seen } = cell;
  if (prediction.kind === 'refused')
    return `not possible there: ${showStep(prediction.step)}, for ${prediction.reason}`;
  const what =
    prediction.broken === null ? 'kept' : `broken at step ${prediction.broken.index}: ${prediction.broken.what}`;
  if (seen?.kind === 'conforms') return `${what}; ${plural(seen.steps, 'step')}, all equal, ${timesText(cell)}`;
  return `predicted: ${what}`;
}

function timesText({ ms, different }: Cell): string {
  if (ms.length === 1) return `${ms[0]?.toFixed(0)} ms`;
  const sorted = [...ms].sort((a, b) => a - b);
  const [least, median, most] = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)].map((n) =>
    n?.toFixed(0),
  );
  return `${plural(ms.length, 'run')}, ${different} different, ${least} to ${most} ms, median ${median}`;
}

interface Files {
  readonly log: Readonly<Record<string, readonly { readonly id: number; readonly epoch: number }[]>>;
  readonly epochCache: Readonly<Record<string, readonly { readonly epoch: number; readonly start: number }[]>>;
  readonly checkpoint: Readonly<Record<string, number>>;
  readonly role: Readonly<Record<string, string>>;
  readonly read?: Readonly<Record<string, readonly number[] | null>>;
}

/** What each replica has in its files in the end, what producers were told, and what a consumer reads from the leader. */
export function fileLines({ last, prediction }: Cell): string[] {
  if (last === null) return [];
  const { log, epochCache, checkpoint, role, read = {} } = last as unknown as Files;
  const list = (items: readonly string[]): string => (items.length === 0 ? '–' : items.join(' '));
  const ids = (of: readonly number[]): string => list(of.map((id) => `m${id}`));
  return [
    ...Object.keys(log).map((id) => {
      const records = list((log[id] ?? []).map((record) => `m${record.id}·e${record.epoch}`));
      const epochs = list((epochCache[id] ?? []).map(({ epoch, start }) => `${epoch}→${start}`));
      return `${id} ${role[id]}: log ${records}; leader-epoch-checkpoint ${epochs}; replication-offset-checkpoint ${checkpoint[id]}`;
    }),
    `producers (acks=all) were told that these are stored: ${ids(prediction.acked)}`,
    ...Object.entries(read).flatMap(([id, found]) =>
      found === null ? [] : [`a consumer reads from ${id}: ${ids(found)}`],
    ),
  ];
}

/** `hw of B: 8; fetchState of A: 12–13`: at which steps it was not to be seen. */
function hiddenText(seen: ReplayResult): string {
  const steps = new Map<string, number[]>();
  for (const { variable, replica, index } of seen.hidden) {
    const name = `${variable} of ${replica}`;
    steps.set(name, [...(steps.get(name) ?? []), index]);
  }
  return [...steps].map(([name, indices]) => `${name}: ${ranges(indices)}`).join('; ');
}

function ranges(ascending: readonly number[]): string {
  const starts = ascending.filter((index) => !ascending.includes(index - 1));
  const ends = ascending.filter((index) => !ascending.includes(index + 1));
  return starts.map((start, at) => (start === ends[at] ? `${start}` : `${start}–${ends[at]}`)).join(', ');
}

export function troubleLines({ seen, failure, different }: Cell, io: Io): string[] {
  if (failure !== null) return [`could not tell: ${failure}`];
  if (seen === null) return [];
  if (different > 0) return ['not every run was like the first'];
  if (seen.kind === 'conforms') return seen.hidden.length > 0 ? [`not to be seen at steps: ${hiddenText(seen)}`] : [];
  const step = seen.at.step ?? { action: seen.at.action, args: [] };
  if (seen.kind === 'refused') return [`stops at step ${seen.at.index}, ${showStep(step)}: ${seen.reason}`];
  if (seen.kind === 'ambiguous') return [`step ${seen.at.index}, ${seen.at.action}, can be several`];
  const options = { colour: wantsColour(io), width: io.columns, step: seen.at.index, ...step, system: seen.system };
  return differences(seen.differences, options);
}

/** Claims by releases: broken or kept, as predicted and seen; `≠` where they differ. */
export function matrix(cells: readonly Cell[], releases: readonly string[], io: Io): string[] {
  const claims = [...new Set(cells.map(({ claim }) => claim))];
  const rows = claims.map((claim) => [
    claim,
    ...releases.map((release) => {
      const cell = cells.find((one) => one.claim === claim && one.release === release);
      if (cell === undefined) return '';
      return agrees(cell) ? outcomeOf(cell) : `≠ ${outcomeOf(cell)}`;
    }),
  ]);
  const agreeing = cells.filter((cell) => agrees(cell) && !cell.endsEarly).length;
  const early = cells.filter((cell) => cell.endsEarly).length;
  const hidden = [...new Set(cells.flatMap(({ seen }) => seen?.notObservable ?? []))];
  return [
    '',
    ...table(rows, { header: ['', ...releases], width: Math.max(io.columns, 100) }),
    '',
    `${agreeing} of ${plural(cells.length, 'cell')} as predicted.`,
    ...(early > 0 ? [`${early} more can be run only up to a step that these brokers cannot be brought to take.`] : []),
    ...(hidden.length > 0 ? [`Not observable in some release, and so not compared: ${hidden.join(', ')}.`] : []),
  ];
}
