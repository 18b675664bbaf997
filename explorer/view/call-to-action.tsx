import type { Opened } from '../model/opened.ts';
import type { Player } from './use-player.ts';

export interface CallToActionProps {
  readonly opened: Opened;
  readonly index: number;
  readonly player: Player;
  readonly onTry: (index: number) => void;
}

/** What to do next: at the beginning to play, at the end to try oneself, in between to leave the track. */
export function CallToAction({ opened, index, player, onTry }: CallToActionProps) {
  if (index === 0) {
    return (
      <p class="next">
        <button type="button" class="primary" onClick={player.toggle}>
          {player.playing ? 'Pause' : 'Play it'}
        </button>
        <span class="quiet">or step with the keys ← and →</span>
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
