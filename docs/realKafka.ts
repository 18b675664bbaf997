/**
 * The tables of docs/real-kafka.md, from what `leader-epoch kafka --json` has printed: `npm run kafka:docs -- <file…>`. A run may be in
 * parts, a release or more in each: cells of the same kind go into one table, and a later one takes the place of an earlier.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { BROKER_PROFILES, KAFKA_PROFILES } from '../src/commands/kafkaReleases.ts';

const DOCUMENT = fileURLToPath(new URL('./real-kafka.md', import.meta.url));

const cellShape = z.object({
  claim: z.string(),
  release: z.string(),
  system: z.string(),
  predicted: z.string(),
  agrees: z.boolean(),
  steps: z.number(),
  at: z.object({ action: z.string() }).nullable(),
  brokenAt: z.object({ index: z.number() }).nullable(),
  runs: z.number(),
  different: z.number(),
  ms: z.array(z.number()),
});
type Cell = z.infer<typeof cellShape>;

const printed = z.object({ command: z.literal('kafka'), cells: z.array(cellShape) });

/** Claims by releases; what needs no second look is plain. */
function matrix(cells: readonly Cell[], releases: readonly string[]): string[] {
  const claims = [...new Set(cells.map(({ claim }) => claim))].sort();
  const shown = releases.filter((release) => cells.some((cell) => cell.release === release));
  const rows = claims.map((claim) => [
    claim,
    ...shown.map((release) => text(cells.find((cell) => cell.claim === claim && cell.release === release))),
  ]);
  const early = cells.filter(({ agrees, predicted }) => agrees && predicted === '?').length;
  const agreeing = cells.filter(({ agrees }) => agrees).length - early;
  const partly = early === 0 ? '' : `; ${early} more up to a step to which they cannot be brought`;
  return [
    ...markdown(['claim', ...shown.map(nameOf)], rows),
    '',
    `${agreeing} of ${cells.length} cells as predicted${partly}.`,
  ];
}

function text(cell: Cell | undefined): string {
  if (cell === undefined) return '';
  const outcome = cell.predicted === '?' ? `up to ${cell.at?.action}` : cell.predicted;
  const shown = outcome === 'broken' ? '**broken**' : outcome === 'not possible' ? '–' : outcome;
  return cell.agrees ? shown : `≠ ${shown}`;
}

/** Cells that were run several times. */
function steadiness(cells: readonly Cell[]): string[] {
  const header = ['system', 'cells', 'runs', 'different', 'one run of one cell: least, median, most'];
  const systems = [...new Set(cells.map(({ system }) => system))];
  const rows = systems.map((system) => {
    const own = cells.filter((cell) => cell.system === system && cell.runs > 0);
    const ms = own.flatMap((cell) => cell.ms).sort((a, b) => a - b);
    const [least, median, most] = [ms[0], ms[Math.floor(ms.length / 2)], ms.at(-1)].map((one) => seconds(one ?? 0));
    const sum = (of: (cell: Cell) => number): string =>
      own.reduce((total, cell) => total + of(cell), 0).toLocaleString('en');
    return [
      system,
      String(own.length),
      sum(({ runs }) => runs),
      sum(({ different }) => different),
      `${least}, ${median}, ${most}`,
    ];
  });
  return markdown(header, rows);
}

function seconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function nameOf(release: string): string {
  const [version, protocol] = release.split('+');
  return protocol === undefined ? `${version}` : `${version} with ${protocol}`;
}

function markdown(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [header, header.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`.replaceAll('|  |', '| |'));
}

/** Between `<!-- name -->` and `<!-- /name -->`. */
function put(document: string, name: string, lines: readonly string[]): string {
  const [begin, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
  const from = document.indexOf(begin);
  const to = document.indexOf(end, from);
  if (from === -1 || to === -1) throw new Error(`docs/real-kafka.md has no place for ${name}`);
  return `${document.slice(0, from + begin.length)}\n${lines.join('\n')}\n\n${document.slice(to)}`;
}

const cells = new Map<string, Cell & { readonly isOften: boolean }>();
for (const file of process.argv.slice(2)) {
  const { cells: own } = printed.parse(JSON.parse(await readFile(file, 'utf8')));
  // A cell that is impossible has no run, however often it was to be run.
  const isOften = own.some(({ runs }) => runs > 1);
  for (const cell of own) cells.set(`${cell.system} ${cell.claim} ${isOften}`, { ...cell, isOften });
}
const of = (kind: string, often: boolean): Cell[] =>
  [...cells.values()].filter(({ system, isOften }) => system.startsWith(kind) && isOften === often);
let document = await readFile(DOCUMENT, 'utf8');
const parts = [
  {
    name: 'matrix of classes',
    of: of('kafka-classes@', false),
    lines: (own: Cell[]) => matrix(own, Object.keys(KAFKA_PROFILES)),
  },
  {
    name: 'matrix of brokers',
    of: of('kafka@', false),
    lines: (own: Cell[]) => matrix(own, Object.keys(BROKER_PROFILES)),
  },
  { name: 'classes, many times', of: of('kafka-classes@', true), lines: steadiness },
  { name: 'brokers, many times', of: of('kafka@', true), lines: steadiness },
];
for (const { name, of: own, lines } of parts) if (own.length > 0) document = put(document, name, lines(own));
await writeFile(DOCUMENT, document);
