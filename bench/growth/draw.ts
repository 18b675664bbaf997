import { z } from 'zod';

const measuredSchema = z.strictObject({
  profile: z.string(),
  claim: z.string(),
  /** Constants that are different from the claim's. */
  bound: z.string(),
  states: z.number().int().positive(),
  depth: z.number().int().positive(),
  /** False: it was stopped, and had so many states then. */
  ended: z.boolean(),
  cpuSeconds: z.number().nonnegative(),
  peakMb: z.number().nonnegative(),
});

export type Measured = z.infer<typeof measuredSchema>;

/** @throws Error naming the file and the JSON path */
export function readGrowth(text: string, file: string): Measured[] {
  const read = z.array(measuredSchema).safeParse(JSON.parse(text));
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  throw new Error(`${file}: at ${issue?.path.join('.') || 'the top'}: ${issue?.message}.`);
}

export function tableOf(rows: readonly Measured[]): string {
  const lines = rows.map(({ profile, claim, bound, states, depth, ended, cpuSeconds, peakMb }) => {
    const count = `${ended ? '' : 'stopped at '}${states.toLocaleString('en')}`;
    return `| ${profile} | \`${claim}\` | ${bound} | ${count} | ${depth} | ${Math.round(cpuSeconds)} s | ${peakMb.toLocaleString('en')} MB |`;
  });
  return `| rule | claim | bound | distinct states | depth | processor | memory |\n|---|---|---|---|---|---|---|\n${lines.join('\n')}\n`;
}

const WIDTH = 720;
const HEIGHT = 320;
const LEFT = 70;
const BOTTOM = 274;
const TOP = 64;
const COLOURS = ['#1f6feb', '#bf5700', '#2da44e', '#8250df'];

/** Two plots side by side over the number of elections, both logarithmic: distinct states, and seconds. Pure. */
export function drawGrowth(rows: readonly Measured[]): string {
  const ended = rows.filter((row) => row.ended);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" role="img">`,
    '<title>Distinct states and processor time of TLC over the number of elections</title>',
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    ...plot(ended, LEFT, 'distinct states', ({ states }) => states),
    ...plot(ended, LEFT + 340, 'seconds of the processor', ({ cpuSeconds }) => Math.max(1, cpuSeconds)),
    ...legend(ended),
    '</svg>',
    '',
  ].join('\n');
}

function plot(rows: readonly Measured[], left: number, title: string, heightOf: (row: Measured) => number): string[] {
  const logs = rows.map((row) => Math.log10(heightOf(row)));
  const [low, high] = [Math.floor(Math.min(...logs)), Math.ceil(Math.max(...logs))];
  const counts = rows.map(electionsOf);
  const [first, last] = [Math.min(...counts), Math.max(...counts)];
  const x = (row: Measured): number => left + 20 + ((electionsOf(row) - first) / Math.max(1, last - first)) * 200;
  const y = (log: number): number => BOTTOM - ((log - low) / Math.max(1, high - low)) * (BOTTOM - TOP);
  const grid = Array.from({ length: high - low + 1 }, (_, index) => low + index).flatMap((power) => [
    `<line x1="${left}" x2="${left + 240}" y1="${y(power)}" y2="${y(power)}" stroke="#d0d7de"/>`,
    `<text x="${left - 6}" y="${y(power) + 4}" text-anchor="end" fill="#57606a">${(10 ** power).toLocaleString('en')}</text>`,
  ]);
  const ticks = [...new Set(counts)].map((count) => {
    const at = rows.find((row) => electionsOf(row) === count) as Measured;
    return `<text x="${x(at)}" y="${BOTTOM + 18}" text-anchor="middle" fill="#57606a">${count}</text>`;
  });
  const lines = profilesOf(rows).flatMap((profile, index) => {
    const own = rows.filter((row) => row.profile === profile);
    const points = own.map((row) => `${round(x(row))},${round(y(Math.log10(heightOf(row))))}`);
    const colour = COLOURS[index % COLOURS.length];
    return [
      `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      ...points.map(
        (point) => `<circle cx="${point.split(',')[0]}" cy="${point.split(',')[1]}" r="3" fill="${colour}"/>`,
      ),
    ];
  });
  const heading = `<text x="${left}" y="${TOP - 16}" fill="#24292f">${title}</text>`;
  const axis = `<text x="${left + 120}" y="${BOTTOM + 36}" text-anchor="middle" fill="#57606a">elections</text>`;
  return [heading, ...grid, ...ticks, axis, ...lines];
}

function legend(rows: readonly Measured[]): string[] {
  return profilesOf(rows).map((profile, index) => {
    const at = LEFT + 4 + index * 120;
    return `<circle cx="${at}" cy="12" r="4" fill="${COLOURS[index % COLOURS.length]}"/><text x="${at + 8}" y="16" fill="#24292f">${profile}</text>`;
  });
}

function profilesOf(rows: readonly Measured[]): string[] {
  return [...new Set(rows.map(({ profile }) => profile))];
}

function electionsOf({ bound }: Measured): number {
  return Number(/MaxElections = (\d+)/.exec(bound)?.[1] ?? 0);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
