import type { Opened } from '../opened.ts';
import { type Arrow, CLIENTS, CONTROLLER, type Note, sequenceOf } from '../sequence.ts';

/** A sequence diagram in Mermaid's language, as GitHub shows it. */
export function mermaidOf(opened: Opened): string {
  const { lanes, arrows, notes } = sequenceOf(opened);
  const events = [
    ...arrows.map((arrow) => ({ step: arrow.sent, order: 1, line: arrowLine(arrow) })),
    ...notes.map((note) => ({ step: note.step, order: 0, line: noteLine(note) })),
  ].sort((a, b) => a.step - b.step || a.order - b.order);
  return [
    'sequenceDiagram',
    ...lanes.map((lane) => `    participant ${idOf(lane)} as ${lane}`),
    ...events.map(({ line }) => `    ${line}`),
  ].join('\n');
}

/** A lane's name may be a word of Mermaid's own (`end`). */
function idOf(lane: string): string {
  return lane === CLIENTS || lane === CONTROLLER ? lane : `R_${lane.replaceAll(/\W/g, '_')}`;
}

function arrowLine({ from, to, reply, lost, label, sent }: Arrow): string {
  const line = lost ? (reply ? '--x' : '-x') : reply ? '-->>' : '->>';
  return `${idOf(from)}${line}${idOf(to)}: ${clean(`${sent}. ${label}${lost ? ' (lost)' : ''}`)}`;
}

function noteLine({ lane, label, step }: Note): string {
  return `Note over ${idOf(lane)}: ${clean(`${step}. ${label}`)}`;
}

/** Semicolons end a line in Mermaid, and # begins an entity. */
function clean(text: string): string {
  return text.replaceAll(';', ',').replaceAll('#', 'no. ');
}
