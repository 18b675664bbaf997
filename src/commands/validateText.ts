import { showStep } from '../replay/index.ts';
import type { Blocked, LoggedEvent, Place, RunLog, Validation } from '../validate/index.ts';
import type { Io } from './io.ts';
import { mark, paint, plural } from './show.ts';

export function validationLines(file: string, result: Validation, log: RunLog, io: Io): string[] {
  switch (result.kind) {
    case 'couldNotTell':
      return [`${mark('unknown', io)} ${file}: could not tell: ${result.reason}`];
    case 'conforms': {
      const count = new Set(log.events.map(({ by }) => by)).size;
      const processes = count === 1 ? 'one process' : `${count} processes`;
      const rules = [...new Set(Object.values(log.header.config.profileOf))].join(' and ');
      const what = `${plural(result.events, 'event')} of ${processes} are a behaviour of the specification under ${rules}`;
      return [`${mark('good', io)} ${file}: ${what}.`];
    }
    case 'differs':
      return differsLines(file, result, io);
  }
}

function differsLines(file: string, result: Extract<Validation, { kind: 'differs' }>, io: Io): string[] {
  const { blocked, events, lastLines, matched, places } = result;
  const [first, ...others] = blocked;
  const ends = [...lastLines].map(([process, line]) => `${process} ${line === null ? 'to none' : `to line ${line}`}`);
  const states = places.length === 1 ? 'one state' : `${places.length} states`;
  return [
    `${mark('bad', io)} ${file}: ${paint('no behaviour of the specification', 'bad', io)}: ${matched} of ${plural(events, 'event')} are explained (${ends.join(', ')}).`,
    ...(first === undefined ? [] : ['', `Nothing explains line ${first.event.line}: ${eventText(first.event)}.`]),
    ...(first === undefined ? [] : nearestLines(first).map((line) => `  ${line}`)),
    ...others.map((one) => `Nor line ${one.event.line}: ${eventText(one.event)}. ${nearestLines(one)[0]}`),
    '',
    `What comes before leads to ${states}:`,
    ...places.flatMap((place, index) => [...(index > 0 ? ['or'] : []), ...placeLines(place)]),
  ];
}

function eventText({ action, args, by }: LoggedEvent): string {
  if (action === undefined) return `a step of ${by}`;
  if (typeof action !== 'string') return `${by}: ${action.join(' or ')}`;
  return `${by}: ${args === undefined ? action : showStep({ action, args: args.map((arg) => arg ?? '?') })}`;
}

function nearestLines({ nearest }: Blocked): string[] {
  const step = showStep(nearest.step);
  if (nearest.kind === 'refused') return [`${step} cannot be taken: ${nearest.reason}.`];
  if (nearest.differences.length === 0) return [`${step} can be taken, but stands too late in the log (see --slack).`];
  const show = (value: unknown) => JSON.stringify(value) ?? 'nothing';
  return [
    `${step} can be taken, but leads elsewhere:`,
    ...nearest.differences.map(
      ({ log, specification, what }) => `  ${what}: ${show(specification)}, and the log shows ${show(log)}`,
    ),
  ];
}

/** The replicas, a line each. */
function placeLines({ shown }: Place): string[] {
  const of = (name: string, id: string): unknown => (shown[name] as Record<string, unknown>)[id];
  const { epoch, isr, leader } = shown.controller as { epoch: number; isr: string[]; leader: string };
  const lines = Object.keys(shown.log as object).map((id) => {
    const records = of('log', id) as { id: unknown; epoch: number }[];
    const words = [`  ${id}  ${String(of('role', id)).padEnd(9)} e${of('leaderEpoch', id)}`];
    words.push(`LEO ${records.length}`, `HW ${of('hw', id)}`, lastOf(records));
    return words.join('  ').trimEnd();
  });
  return [...lines, `  the controller: e${epoch}, leader ${leader}, ISR ${isr.join(' ') || 'empty'}`];
}

const SHOWN_RECORDS = 8;

function lastOf(records: readonly { readonly id: unknown; readonly epoch: number }[]): string {
  const last = records.slice(-SHOWN_RECORDS).map(({ epoch, id }) => `${id}·e${epoch}`);
  return (records.length > SHOWN_RECORDS ? '… ' : '') + last.join(' ');
}

export function plainValidation(result: Validation, log: RunLog): Record<string, unknown> {
  if (result.kind !== 'differs') return { ...result, processes: new Set(log.events.map(({ by }) => by)) };
  const { blocked, lastLines, places, ...rest } = result;
  return {
    ...rest,
    lastLines,
    unexplained: blocked.map(({ event, nearest }) => ({ line: event.line, by: event.by, event, nearest })),
    states: places.map(({ shown }) => shown),
  };
}
