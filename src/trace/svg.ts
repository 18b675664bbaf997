import { type Sequence, type SequenceMapping, type SequenceMessage, sequenceOf } from './sequence.ts';
import type { Trace } from './trace.ts';

const MARGIN = 16;
const GUTTER = 44;
const ROW = 46;
const HEAD = 34;
const LETTER = 7;
const LEAST_COLUMN = 150;
const LONGEST_ACTION = 40;

/**
 * A sequence diagram: a lifeline for each participant, a row for each step, and each message as an arrow from the row in which
 * it is sent to the one in which it is taken. Stands for itself: no script, no font, no link.
 */
export function printSvg(trace: Trace, mapping: SequenceMapping & { readonly title?: string } = {}): string {
  const sequence = sequenceOf(trace, mapping);
  const layout = layoutOf(sequence);
  const { width, height, x, y } = layout;
  const title = mapping.title ?? 'Sequence of the trace';
  const lifelines = sequence.participants.map((name) => {
    const box = `<rect x="${x(name) - boxWidth(name) / 2}" y="${MARGIN}" width="${boxWidth(name)}" height="24" rx="4"/>`;
    const line = `<line class="life" x1="${x(name)}" y1="${MARGIN + 24}" x2="${x(name)}" y2="${height - MARGIN}"/>`;
    return `${line}${box}${label(x(name), MARGIN + 16, name, 'who')}`;
  });
  const steps = sequence.steps.map((step) => {
    const at = step.by === null ? (GUTTER + width) / 2 : x(step.by);
    const short = cut(step.action, Math.floor((layout.column - 12) / LETTER));
    const box = `<rect class="step" x="${at - boxWidth(short) / 2}" y="${y(step.state) - 11}" width="${boxWidth(short)}" height="20" rx="9"/>`;
    return `<g><title>${safe(step.action)}</title>${label(MARGIN, y(step.state) + 4, String(step.state), 'state')}${box}${label(at, y(step.state) + 3, short, 'who')}</g>`;
  });
  const arrows = sequence.messages.map((message) => arrow(message, sequence, layout));
  const end = sequence.end === null ? '' : label((GUTTER + width) / 2, height - MARGIN - 4, sequence.end, 'who');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${safe(title)}</title>`,
    STYLE,
    ...lifelines,
    ...arrows,
    ...steps,
    end,
    '</svg>',
    '',
  ].join('\n');
}

type Layout = {
  readonly width: number;
  readonly height: number;
  readonly column: number;
  x(participant: string): number;
  y(state: number): number;
};

function layoutOf({ participants, steps, messages, end }: Sequence): Layout {
  const lengths = [
    ...participants.map((name) => name.length),
    ...messages.map(({ label: text }) => text.length + 4),
    ...steps.map(({ action }) => Math.min(action.length, LONGEST_ACTION)),
  ];
  const longest = lengths.reduce((most, length) => Math.max(most, length), 0);
  const column = Math.max(LEAST_COLUMN, longest * LETTER + 24);
  const columns = new Map(participants.map((name, index) => [name, index]));
  const firstRow = MARGIN + HEAD + 20;
  return {
    column,
    width: GUTTER + column * participants.length + MARGIN,
    height: firstRow + ROW * (steps.length + 1) + (end === null ? 0 : 24) + MARGIN,
    x: (name) => Math.round(GUTTER + column * (columns.get(name)! + 0.5)),
    y: (state) => firstRow + ROW * (state - 1),
  };
}

/** To itself a message goes down beside the lifeline; one that never arrives ends with a cross half-way. */
function arrow(message: SequenceMessage, { steps, keepsMessages }: Sequence, { x, y, column }: Layout): string {
  const from = x(message.from);
  const to = x(message.to) + (message.from === message.to ? column / 3 : 0);
  const top = y(message.sentAt) + 10;
  const arrives = message.takenAt !== null;
  const last = steps.length + 1;
  const bottom = arrives ? Math.max(top + 6, y(message.takenAt!) - 12) : Math.min(top + 24, y(last) + 30);
  const lost = !arrives && !keepsMessages;
  const endX = lost ? from + (to - from) * 0.6 : to - Math.sign(to - from) * 2;
  const mark = lost ? label(endX, bottom + 4, '×', 'lost') : '';
  const middle = from + (endX - from) / 2;
  const text = label(middle, top + (bottom - top) / 2 - 5, message.label, 'who');
  return `<g><line class="${lost ? 'lost' : 'message'}" x1="${from}" y1="${top}" x2="${Math.round(endX)}" y2="${bottom}"${lost ? '' : ' marker-end="url(#tip)"'}/>${mark}${text}</g>`;
}

function boxWidth(text: string): number {
  return text.length * LETTER + 16;
}

function cut(text: string, letters: number): string {
  return text.length > letters ? `${text.slice(0, Math.max(1, letters - 1))}…` : text;
}

function label(x: number, y: number, text: string, kind: string): string {
  return `<text class="${kind}" x="${Math.round(x)}" y="${Math.round(y)}">${safe(text)}</text>`;
}

/** Without the characters that XML does not have at all; half of a surrogate pair is one of them. */
function safe(text: string): string {
  return text
    .replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[<>&"]/g, (char) => `&#${char.charCodeAt(0)};`);
}

const STYLE = `<style>
  svg { font: 12px ui-monospace, Menlo, Consolas, monospace; background: #fff; color: #1f2328 }
  text { fill: currentColor; paint-order: stroke; stroke: #fff; stroke-width: 3px } rect + text { stroke: none } .who, .lost { text-anchor: middle } .state { opacity: .6 }
  rect { fill: #eef2f7; stroke: #8c959f } .step { fill: #fff8e1; stroke: #bf8700 }
  line { stroke: #57606a; stroke-width: 1.2 } .life { stroke: #8c959f; stroke-dasharray: 3 4 }
  line.lost { stroke: #cf222e; stroke-dasharray: 5 3 } text.lost { fill: #cf222e; font-size: 16px }
  @media (prefers-color-scheme: dark) {
    svg { background: #0d1117; color: #e6edf3 } text { stroke: #0d1117 } rect { fill: #21262d } .step { fill: #2d2410 }
    line { stroke: #9da7b3 } #tip path { fill: #9da7b3 }
  }
</style>
<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" fill="#57606a"/></marker></defs>`;
