import { PROPERTIES, type Replica, recordText } from '../../../src/report/index.ts';
import { profileTitle } from '../names.ts';
import type { Opened } from '../opened.ts';
import { mermaidOf } from './mermaid.ts';

/** What happened, for an issue or a mail: a diagram, a table of steps, how it ends. */
export function markdownOf(opened: Opened): string {
  const { property } = opened;
  const { lines } = opened.conclusion();
  return [
    `# ${opened.title}`,
    ...(opened.claim === null ? [] : [opened.claim.story]),
    [
      `- Rule: ${profileTitle(opened.profile)} (\`${opened.profile}\`)`,
      `- min.insync.replicas: ${opened.config?.minIsr}`,
      ...(property === null
        ? []
        : [`- Property: \`${property}\`${PROPERTIES[property] === undefined ? '' : `: ${PROPERTIES[property]}`}`]),
    ].join('\n'),
    ['```mermaid', mermaidOf(opened), '```'].join('\n'),
    stepTable(opened),
    ...lines,
  ]
    .join('\n\n')
    .concat('\n');
}

function stepTable(opened: Opened): string {
  const names = opened.world(0).replicas.map(({ name }) => name);
  const row = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const steps = Array.from({ length: opened.last }, (_, index) => index + 1);
  return [
    row(['', 'Action', 'What happens', ...names.map((name) => `${name}'s log`)]),
    row(['---', '---', '---', ...names.map(() => '---')]),
    ...steps.map((index) =>
      row([
        `${index}`,
        `\`${opened.call(index)}\``,
        opened.sentence(index),
        ...opened.world(index).replicas.map(logText),
      ]),
    ),
  ].join('\n');
}

function logText({ log, hw, role }: Replica): string {
  const records = log.map(recordText);
  if (role !== 'down' && role !== 'halted') records.splice(Math.min(hw, records.length), 0, '║');
  return records.join(' ') || '–';
}
