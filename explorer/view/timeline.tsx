import type { Opened } from '../model/opened.ts';
import type { Player } from './use-player.ts';

/** Play, step, scrub. */
export function Timeline({ opened, player }: { opened: Opened; player: Player }) {
  const { index, playing, speed } = player;
  const { last } = opened;
  return (
    <fieldset class="timeline" aria-label="Timeline">
      <button
        type="button"
        class="icon"
        onClick={player.toFirst}
        disabled={index === 0}
        aria-label="To the beginning (Home)"
        title="To the beginning (Home)"
      >
        ⏮
      </button>
      <button
        type="button"
        class="icon"
        onClick={player.back}
        disabled={index === 0}
        aria-label="One step back (←)"
        title="One step back (←)"
      >
        ◀
      </button>
      <button type="button" class="play" onClick={player.toggle} title={playing ? 'Pause (space)' : 'Play (space)'}>
        {playing ? '❚❚ Pause' : '▶ Play'}
      </button>
      <button
        type="button"
        class="icon"
        onClick={player.forward}
        disabled={!player.canGoOn}
        aria-label="One step on (→)"
        title="One step on (→)"
      >
        ▶
      </button>
      <input
        type="range"
        min={0}
        max={last}
        value={index}
        aria-label="Step"
        aria-valuetext={`step ${index} of ${last}: ${opened.call(index)}`}
        onInput={(event) => player.go(Number(event.currentTarget.value))}
      />
      <span class="count">
        {index} / {last}
      </span>
      <label class="speed">
        <span class="quiet">Speed</span>
        <select value={String(speed)} onChange={(event) => player.setSpeed(Number(event.currentTarget.value))}>
          {[0.5, 1, 2, 4].map((one) => (
            <option key={one} value={String(one)}>
              {one}×
            </option>
          ))}
        </select>
      </label>
    </fieldset>
  );
}
