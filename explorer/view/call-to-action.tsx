import type { Opened } from '../model/opened.ts';
import type { Player } from './use-player.ts';

export interface CallToActionProps {
  readonly opened: Opened;
  readonly index: number;
  readonly player: Player;
  readonly onTry: (index: number) => void;
  readonly onPredict: (() => void) | null;
}

/** What to do next: at the beginning to play, to try or to be asked, at the end to try oneself, in between to leave the track. */
export function CallToAction({ opened, index, player, onTry, onPredict }: CallToActionProps) {
  if (index === 0) {
    return (
      <p class="next">
        <button type="button" class="primary" onClick={player.toggle}>
          {player.playing ? 'Pause' : 'Play it'}
        </button>
        <button type="button" onClick={() => onTry(0)}>
          Do it yourself
        </button>
        {onPredict === null ? null : (
          <button type="button" onClick={onPredict}>
            Predict it
          </button>
        )}
        <span class="quiet">Keys: space plays, ← and → step.</span>
      </p>
    );
  }
  if (index === opened.last) {
    return (
      <p class="next">
        <button type="button" class="primary" onClick={() => onTry(0)}>
          Now do it yourself
        </button>
        <button type="button" onClick={player.toFirst}>
          Watch again
        </button>
        {onPredict === null ? null : (
          <button type="button" onClick={onPredict}>
            Questions about it
          </button>
        )}
        {opened.trace.loop === undefined ? null : (
          <button type="button" onClick={() => player.go(opened.trace.loop ?? 0)}>
            {`Back to step ${opened.trace.loop}, where it goes on for ever`}
          </button>
        )}
      </p>
    );
  }
  return (
    <p class="next">
      <button type="button" onClick={() => onTry(index)}>
        Try it from here
      </button>
      <span class="quiet">go another way from this step on</span>
    </p>
  );
}
