import type { Opened } from '../model/opened.ts';

/** What happened in this step: heard by screen readers too. */
export function Sentence({ opened, index }: { opened: Opened; index: number }) {
  const isLast = index === opened.last;
  const conclusion = isLast && opened.config !== null ? opened.conclusion() : null;
  return (
    <div class="sentence">
      <p class="call">
        <span class="number">{index === 0 ? 'At first' : `Step ${index}`}</span>
        {index > 0 ? <code>{opened.call(index)}</code> : null}
        {opened.isStuttering(index) ? <span class="tag">stutters</span> : null}
        {opened.inLoop(index) ? <span class="tag">in the loop</span> : null}
      </p>
      <p class="what" aria-live="polite">
        {opened.sentence(index)}
      </p>
      {conclusion?.lines.map((line) => (
        <p key={line} class={`verdict ${conclusion.broken ? 'bad' : conclusion.broken === false ? 'good' : ''}`}>
          {line}
        </p>
      ))}
    </div>
  );
}
