import type { Fared } from './use-live.ts';

/** What the server's systems came to. */
export function Live({ fared }: { fared: readonly Fared[] }) {
  if (fared.length === 0) return null;
  return (
    <ul class="live" aria-label="Replayed">
      {fared.map(({ system, good, text }) => (
        <li key={system} class={good ? 'good' : 'bad'}>
          {good ? '✓' : '✗'} <strong>{system}</strong> {text}
        </li>
      ))}
    </ul>
  );
}
