import type { Trace } from '../trace/index.ts';
import { conclude } from './conclusion.ts';
import { type DrawingOptions, draw } from './drawing.ts';
import { replicaOf } from './facts.ts';
import { columns, padEnd, wrap } from './layout.ts';
import { type Palette, paletteFor } from './palette.ts';
import { PROPERTIES } from './properties.ts';
import { type Told, tellSteps } from './steps.ts';
import { agree, enumerate } from './words.ts';
import type { Replica, World } from './world.ts';

export interface StoryOptions {
  readonly colour: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  /** The property that the trace breaks, or keeps. Without it the story ends with all that is broken. */
  readonly property?: string;
  readonly title?: string;
}

const MIN_WIDTH = 60;
const LEGEND = [
  ['m1·e1✓', 'record m1 of leader epoch e1; ✓ its producer was told it is stored'],
  ['║', 'the high watermark (HW): all before it is committed'],
  ['+ - ≠', 'new, cut in this step, not the same in all logs'],
  ['LEO', 'the log end offset; "disk": the HW that a restart would find'],
] as const;
const INDENT = '     ';

/** A trace of spec/LeaderEpoch.tla, told for people: a sentence or two for each step, and the logs where they changed. */
export function tellStory(trace: Trace, options: StoryOptions): string[] {
  const told = tellSteps(trace);
  const palette = paletteFor(options.colour);
  const width = Math.max(MIN_WIDTH, options.width);
  const flushed = told.steps.some(({ name }) => name === 'PowerLoss' || name === 'Flush');
  const records = [told.first, ...told.steps.map(({ after }) => after)]
    .flatMap(longest)
    .reduce((most, length) => Math.max(most, length), 0);
  const drawing: DrawingOptions = { palette, flushed, records, width: width - INDENT.length };
  const numberWidth = `${told.steps.length}`.length + 1;
  return [
    ...heading(told, options, width, palette),
    ...told.steps.flatMap(({ before, after, sentence }, index) => {
      const number = `${index + 1}`.padStart(numberWidth);
      const [first, ...rest] = wrap(sentence, width, `${number}  `);
      const isLast = index === told.steps.length - 1;
      const logs = !isLast && isDrawn(before, after) ? draw(after, { ...drawing, before }) : [];
      return [palette.bold(number) + first!.slice(number.length), ...rest, ...logs.map((line) => INDENT + line)];
    }),
    ...ending(told, trace, options, { ...drawing, offsets: true }, width),
  ];
}

function heading({ first }: Told, { title, property }: StoryOptions, width: number, palette: Palette): string[] {
  const promise = property === undefined ? undefined : PROPERTIES[property];
  const followers = first.replicas.filter(({ role }) => role === 'follower').map(({ name }) => name);
  const { leader, epoch } = first.controller;
  const start = `At first ${leader} leads in epoch e${epoch}, ${enumerate(followers)} ${agree(followers, 'follows', 'follow')}, and all logs are empty. A record is committed once all in-sync replicas have it; then a producer with acks=all is told that it is stored.`;
  return [
    ...(title === undefined ? [] : wrap(title, width).map(palette.bold)),
    ...(property === undefined ? [] : wrap(`${property}${promise === undefined ? '' : `: ${promise}`}.`, width)),
    ...wrap(start, width),
    '',
    ...LEGEND.flatMap(([sign, text]) => wrap(text, width, `${INDENT}${padEnd(sign, 6)}  `)),
    '',
  ];
}

function longest({ replicas }: World): number[] {
  return replicas.map(({ log }) => log.length);
}

/** Logs, high watermarks or roles are others than before. */
function isDrawn(before: World, after: World): boolean {
  const shown = ({ log, hw, role, leaderEpoch }: Replica) => JSON.stringify([log, hw, role, leaderEpoch]);
  return after.replicas.some((replica) => shown(replica) !== shown(replicaOf(before, replica.name)));
}

function ending(
  told: Told,
  trace: Trace,
  { property }: StoryOptions,
  drawing: DrawingOptions,
  width: number,
): string[] {
  const { broken, lines, marks } = conclude(told, property);
  const before = told.steps.at(-1)?.before;
  const style = broken === true ? drawing.palette.bad : broken === false ? drawing.palette.good : String;
  return [
    ...draw(told.last, { ...drawing, ...(before === undefined ? {} : { before }), marks }).map((line) => INDENT + line),
    '',
    ...loopLines(trace),
    ...lines.flatMap((line) => styleStart(wrap(line, width), style)),
  ];
}

/** Only the verdict, up to the colon, has a colour: `CommittedSurvives is broken:`. */
function styleStart(lines: readonly string[], style: (text: string) => string): string[] {
  const [first, ...rest] = lines;
  const end = first!.indexOf(':') + 1 || columns(first!);
  return [style(first!.slice(0, end)) + first!.slice(end), ...rest];
}

function loopLines({ loop, states }: Trace): string[] {
  if (loop === undefined) return [];
  return [
    loop === states.length - 1
      ? 'And so it stays for ever.'
      : `From here it goes on as after step ${loop}${loop === 0 ? ' (the beginning)' : ''}, for ever.`,
  ];
}
