import type { Trace } from '../trace/index.ts';
import { conclude } from './conclusion.ts';
import { draw } from './drawing.ts';
import { isAlive, sameRecord } from './facts.ts';
import { paletteFor } from './palette.ts';
import { PROPERTIES } from './properties.ts';
import { type ToldStep, tellSteps } from './steps.ts';
import { count, recordText } from './words.ts';
import type { Replica, World } from './world.ts';

/** What a claim (spec/claims.json) says, and how to get its trace again. */
export interface PageOptions {
  /** Its name, also of the trace beside the page: `<claim>.itf.json`. */
  readonly claim: string;
  readonly title: string;
  /** What happens, in a sentence or two. */
  readonly story: string;
  /** The property that the trace breaks, or those that it keeps. */
  readonly property: string | readonly string[];
  readonly profile: string;
  readonly verdict: string;
  /** To be typed into a shell. */
  readonly command: string;
  readonly bound: string;
  /** Why smaller bounds miss it. */
  readonly why?: string;
}

const WIDTH = 100;

/** The Markdown page of a recorded trace. The same trace and options give the same text. */
export function tracePage(trace: Trace, options: PageOptions): string {
  const { claim, title, story, property, profile, verdict, command, bound, why } = options;
  const told = tellSteps(trace);
  const names = typeof property === 'string' ? [property] : property;
  const conclusions = names.map((name) => conclude(told, name));
  const before = told.steps.at(-1)?.before;
  const marks = conclusions.flatMap((conclusion) => conclusion.marks);
  const drawing = draw(told.last, {
    ...{ palette: paletteFor(false), width: WIDTH, offsets: true, marks },
    ...(before === undefined ? {} : { before }),
  });
  const facts = [
    ['Result', `**${verdict}**, ${count(told.steps.length, 'step')}`],
    ...names.map((name) => ['Property', `\`${name}\`${PROPERTIES[name] === undefined ? '' : `: ${PROPERTIES[name]}`}`]),
    ['Rule', `\`${profile}\` (spec/Profiles.tla)`],
    ['Bound', bound],
    ['Trace', `[${claim}.itf.json](${claim}.itf.json)`],
  ];
  return [
    `# ${title}`,
    story,
    markdownTable(['', ''], facts as string[][]),
    conclusions.some(({ broken }) => broken === true) ? '## What breaks' : '## What comes out',
    conclusions.flatMap(({ lines }) => lines).join('\n\n'),
    '## Steps',
    `In a log \`║\` is the high watermark; what a step changed is bold, what it cut is struck out. A replica that is down has no high watermark but the one on disk.`,
    stepTable(told.first, told.steps),
    '## The last state',
    ['```text', ...drawing, '```'].join('\n'),
    '## To get it again',
    ['```sh', command, '```'].join('\n'),
    ...(why === undefined ? [] : ['## Why smaller bounds miss it', why]),
  ]
    .join('\n\n')
    .concat('\n');
}

function stepTable({ replicas }: World, steps: readonly ToldStep[]): string {
  const header = ['No', 'Action', 'What happens', ...replicas.flatMap(({ name }) => [`${name}'s log`, `${name}'s HW`])];
  const rows = steps.map(({ before, after, call, sentence }, index) => [
    `${index + 1}`,
    `\`${call}\``,
    sentence,
    ...after.replicas.flatMap((replica, which) => [
      logCell(before.replicas[which]!, replica),
      hwCell(before.replicas[which]!, replica),
    ]),
  ]);
  return markdownTable(header, rows);
}

function logCell(before: Replica, after: Replica): string {
  const cells = after.log.map((record, offset) => {
    const text = recordText(record);
    return sameRecord(record, before.log[offset]) ? text : `**${text}**`;
  });
  if (isAlive(after)) cells.splice(Math.min(after.hw, cells.length), 0, '║');
  const cut = before.log.slice(after.log.length).map((record) => `~~${recordText(record)}~~`);
  return [...cells, ...cut].join(' ') || '–';
}

function hwCell(before: Replica, after: Replica): string {
  const text = (replica: Replica) => (isAlive(replica) ? `${replica.hw}` : `disk ${replica.checkpoint}`);
  return text(before) === text(after) ? text(after) : `**${text(after)}**`;
}

function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replace(/\s+/g, ' ')).join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}
