import { type SequenceMapping, type SequenceMessage, type SequenceStep, sequenceOf } from './sequence.ts';
import type { Trace } from './trace.ts';

/** A sequence diagram in the language of Mermaid. */
export function printMermaid(trace: Trace, mapping: SequenceMapping = {}): string {
  const sequence = sequenceOf(trace, mapping);
  const ids = new Map(sequence.participants.map((name, index) => [name, `p${index + 1}`]));
  const everybody = [...new Set([ids.get(sequence.participants[0]!)!, ids.get(sequence.participants.at(-1)!)!])].join(
    ',',
  );
  const lines = sequence.participants.map((name) => `participant ${ids.get(name)} as ${safe(name)}`);
  const arrow = (message: SequenceMessage): string => {
    const isLost = message.takenAt === null && !sequence.keepsMessages;
    const end = isLost ? ' (never arrives)' : '';
    return `${ids.get(message.from)}${isLost ? '-x' : '-)'}${ids.get(message.to)}: ${safe(message.label + end)}`;
  };
  for (const message of sequence.messages) if (message.sentAt === 1) lines.push(arrow(message));
  for (const step of sequence.steps) {
    const over = step.by === null ? everybody : ids.get(step.by)!;
    lines.push(`Note over ${over}: ${safe(`${step.state} ${step.action}${takenText(step)}`)}`);
    for (const message of step.sent) lines.push(arrow(message));
  }
  if (sequence.end !== null) lines.push(`Note over ${everybody}: ${safe(sequence.end)}`);
  return `sequenceDiagram\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

function takenText({ by, taken }: SequenceStep): string {
  return taken
    .map(({ label, from, to }) => (by === to ? `, takes ${label} of ${from}` : `, ${label} of ${from} is gone`))
    .join('');
}

/** What means something to Mermaid, as its entities. */
function safe(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[#;<>%"\\`]/g, (char) => `#${char.charCodeAt(0)};`);
}
