import type { Opened } from '../opened.ts';
import { type Arrow, type Note, sequenceOf } from '../sequence.ts';

const ROW = 34;
const TOP = 70;
const LANE = 150;
const LEFT = 90;

/** A sequence diagram that stands alone: no style from outside, on white. */
export function sequenceSvg(opened: Opened): string {
  const { lanes, arrows, notes } = sequenceOf(opened);
  const width = LEFT + LANE * (lanes.length - 1) + 110;
  const height = TOP + (opened.last + 1) * ROW + 10;
  const xOf = (lane: string) => LEFT + LANE * lanes.indexOf(lane);
  const yOf = (step: number) => TOP + (step - 0.5) * ROW;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="16" y="24" font-size="15" font-weight="700" fill="#17202b">${escaped(opened.title)}</text>`,
    ...lanes.flatMap((lane) => [
      `<text x="${xOf(lane)}" y="52" text-anchor="middle" font-weight="700" fill="#17202b">${escaped(lane)}</text>`,
      `<path d="M${xOf(lane)} 60V${height - 8}" stroke="#8d9bab" stroke-dasharray="2 4"/>`,
    ]),
    ...Array.from(
      { length: opened.last },
      (_, index) => `<text x="30" y="${yOf(index + 1) + 4}" text-anchor="end" fill="#4f5d6d">${index + 1}</text>`,
    ),
    ...arrows.map((arrow) => arrowText(arrow, xOf, yOf, opened.last)),
    ...notes.map((note) => noteText(note, xOf, yOf)),
    '</svg>',
  ].join('\n');
}

function arrowText(
  { from, to, sent, arrived, lost, reply, label, shift = 0 }: Arrow,
  xOf: (lane: string) => number,
  yOf: (step: number) => number,
  last: number,
): string {
  const [x1, y1] = [xOf(from), yOf(sent) + shift];
  const [fullX, fullY] = [xOf(to), yOf(arrived ?? last + 0.6) + shift];
  const part = lost || arrived === null ? 0.62 : 1;
  const [x2, y2] = [x1 + (fullX - x1) * part, y1 + (fullY - y1) * part];
  const colour = lost ? '#b3261e' : '#1d5bb8';
  const angle = Math.atan2(y2 - y1, x2 - x1);
  const corner = (turn: number) =>
    `${round(x2 - 9 * Math.cos(angle + turn))} ${round(y2 - 9 * Math.sin(angle + turn))}`;
  const tip = lost
    ? `<path d="M${round(x2 - 5)} ${round(y2 - 5)}l10 10m0 -10l-10 10" stroke="${colour}" stroke-width="2.4"/>`
    : `<path d="M${round(x2)} ${round(y2)}L${corner(0.4)}L${corner(-0.4)}z" fill="${colour}"/>`;
  const middle = [(x1 + x2) / 2, (y1 + y2) / 2 + 4] as const;
  const wide = label.length * 6.2 + 6;
  return [
    `<path d="M${x1} ${y1}L${round(x2)} ${round(y2)}" fill="none" stroke="${colour}" stroke-width="1.8"${reply ? ' stroke-dasharray="5 3"' : ''}/>`,
    tip,
    `<rect x="${round(middle[0] - wide / 2)}" y="${round(middle[1] - 12)}" width="${round(wide)}" height="16" rx="4" fill="#fff"/>`,
    `<text x="${round(middle[0])}" y="${round(middle[1])}" text-anchor="middle" fill="#17202b">${escaped(label)}</text>`,
  ].join('');
}

function noteText(
  { lane, label, step, kind }: Note,
  xOf: (lane: string) => number,
  yOf: (step: number) => number,
): string {
  const wide = label.length * 7.2 + 18;
  const [fill, stroke, ink] =
    kind === 'fault'
      ? ['#fdeae8', '#b3261e', '#b3261e']
      : kind === 'leads'
        ? ['#e4eefb', '#1d5bb8', '#17202b']
        : ['#eef1f5', '#8d9bab', '#17202b'];
  return [
    `<rect x="${round(xOf(lane) - wide / 2)}" y="${yOf(step) - 12}" width="${round(wide)}" height="24" rx="6" fill="${fill}" stroke="${stroke}"/>`,
    `<text x="${xOf(lane)}" y="${yOf(step) + 4}" text-anchor="middle" fill="${ink}">${escaped(label)}</text>`,
  ].join('');
}

function round(number: number): number {
  return Math.round(number * 10) / 10;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
