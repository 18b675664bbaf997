import { type Difference, diffStates, print, printState } from '../tla/index.ts';
import { assertTrace, type Trace } from './trace.ts';
import { actionText, endText } from './words.ts';

/** A page: what the trace is, its first state, and a table of steps with what each changes. */
export function printMarkdown(trace: Trace, { title = 'Trace' }: { title?: string } = {}): string {
  assertTrace(trace);
  const { states, actions, meta } = trace;
  const notes = Object.entries(meta).flatMap(([name, note]) =>
    typeof note === 'string' || typeof note === 'number' ? [`- ${plainText(name)}: ${plainText(String(note))}`] : [],
  );
  const rows = states.slice(1).map((state, index) => {
    const changes = diffStates(states[index]!, state).map(changeText);
    const action = actionText(actions[index + 1]!);
    return `| ${index + 2} | ${action === null ? '' : code(action)} | ${changes.join('<br>') || 'nothing changes'} |`;
  });
  const end = endText(trace);
  return [
    `# ${plainText(title)}`,
    '',
    ...(notes.length === 0 ? [] : [...notes, '']),
    '## State 1',
    '',
    ...fenced(printState(states[0]!)),
    '',
    ...(rows.length === 0 ? [] : ['## Steps', '', '| state | action | changes |', '|---|---|---|', ...rows, '']),
    ...(end === null ? [] : [`${plainText(end)}.`, '']),
    '## Last state',
    '',
    ...fenced(printState(states.at(-1)!)),
    '',
  ].join('\n');
}

function changeText({ path, kind, before, after }: Difference): string {
  if (kind === 'added') return `${code(path)} is new: ${code(print(after!))}`;
  if (kind === 'removed') return `${code(path)} is gone, was ${code(print(before!))}`;
  return `${code(path)} ${code(print(before!))} → ${code(print(after!))}`;
}

/** In a table cell a bar ends the cell, also inside of code. */
function code(text: string): string {
  const fence = fenceFor(text, 0);
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${text.replace(/\s+/g, ' ').replaceAll('|', '\\|')}${pad}${fence}`;
}

function plainText(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>|#]/g, (char) => `\\${char}`);
}

function fenced(text: string): string[] {
  const fence = fenceFor(text, 2);
  return [`${fence}tla`, text, fence];
}

/** Longer than any run of backticks in the text. */
function fenceFor(text: string, least: number): string {
  let longest = least;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return '`'.repeat(1 + longest);
}
