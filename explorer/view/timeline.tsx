import type { TimelineMark } from '../model/marks.ts';
import { Icon } from './icon.tsx';
import type { Player } from './use-player.ts';

export interface TimelineProps {
  readonly player: Player;
  readonly last: number;
  /** What a moment is called, for who does not see it. */
  readonly nameOf: (index: number) => string;
  /** Where something is to be found: faults, elections, what breaks. */
  readonly marks?: readonly TimelineMark[];
}

/** Play, step, scrub. */
export function Timeline({ player, last, nameOf, marks = [] }: TimelineProps) {
  const { index, playing, speed } = player;
  return (
    <fieldset class="timeline" aria-label="Timeline">
      <button
        type="button"
        class="icon ends"
        onClick={player.toFirst}
        disabled={index === 0}
        aria-label="To the beginning"
        title="To the beginning (Home)"
      >
        <Icon name="first" />
      </button>
      <button
        type="button"
        class="icon"
        onClick={player.back}
        disabled={index === 0}
        aria-label="One step back"
        title="One step back (←)"
      >
        <Icon name="back" />
      </button>
      <button type="button" class="play" onClick={player.toggle} title={playing ? 'Pause (space)' : 'Play (space)'}>
        <Icon name={playing ? 'pause' : 'play'} /> {playing ? 'Pause' : 'Play'}
      </button>
      <button
        type="button"
        class="icon"
        onClick={player.forward}
        disabled={!player.canGoOn}
        aria-label="One step on"
        title="One step on (→)"
      >
        <Icon name="forward" />
      </button>
      <button
        type="button"
        class="icon ends"
        onClick={player.toLast}
        disabled={index === last}
        aria-label="To the end"
        title="To the end (End)"
      >
        <Icon name="last" />
      </button>
      <div class="track">
        <input
          type="range"
          min={0}
          max={last}
          value={index}
          aria-label="Step"
          aria-valuetext={`step ${index} of ${last}: ${nameOf(index)}`}
          onInput={(event) => player.go(Number(event.currentTarget.value))}
        />
        <div class="marks" aria-hidden="true">
          {marks.map(({ index: at, kind }) => (
            <span key={at} class={kind} style={{ left: `${last === 0 ? 0 : (100 * at) / last}%` }} />
          ))}
        </div>
      </div>
      <span class="count">
        {index} / {last}
      </span>
      <select
        class="speed"
        aria-label="Speed"
        value={String(speed)}
        onChange={(event) => player.setSpeed(Number(event.currentTarget.value))}
      >
        {[0.5, 1, 2, 4].map((one) => (
          <option key={one} value={String(one)}>
            {one}×
          </option>
        ))}
      </select>
    </fieldset>
  );
}
