import type { Opened } from '../model/opened.ts';

/** What happened in this step: heard by screen readers too. */
export function Sentence({ opened, index }: { opened: Opened; index: number }) {
  const isLast = index === opened.last;
  const conclusion = isLast && opened.config !== null ? opened.conclusion() : null;
  return (
    <div class="sentence">
      <p class="what" aria-live="polite">
        <span class="number">{index === 0 ? 'At first' : `Step ${index}`}</span> {opened.sentence(index)}
      </p>
      {index > 0 ? <code class="call">{opened.call(index)}</code> : null}
      {conclusion?.lines.map((line) => (
        <p key={line} class={`verdict ${conclusion.broken ? 'bad' : conclusion.broken === false ? 'good' : ''}`}>
          {line}
        </p>
      ))}
    </div>
  );
}
