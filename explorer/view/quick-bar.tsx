import type { WorldStep } from '../../src/systems/system.ts';
import { nextText } from '../model/labels.ts';
import { profileTitle } from '../model/names.ts';
import type { Session } from '../model/session.ts';

export interface QuickBarProps {
  readonly session: Session;
  /** The next step of the trace that is followed. */
  readonly next: WorldStep | null;
  /** The rule that mends what is broken; null where nothing is. */
  readonly mends: string | null;
  readonly onTake: (step: WorldStep) => void;
  readonly onVersus: (rule: string) => void;
}

/** Where the choices do not fit beside the scene: the way on, and the step back, under the thumb. */
export function QuickBar({ session, next, mends, onTake, onVersus }: QuickBarProps) {
  const { opened } = session;
  return (
    <div class="quick">
      <p class="what">{opened.sentence(opened.last)}</p>
      <p class="row">
        {mends === null ? (
          next === null ? null : (
            <button type="button" class="primary" onClick={() => onTake(next)}>
              {`★ ${nextText(next, opened, opened.last)}`}
            </button>
          )
        ) : (
          <button type="button" class="primary" onClick={() => onVersus(mends)}>
            {`Save it: ${profileTitle(mends)}`}
          </button>
        )}
        <button type="button" onClick={toChoices}>
          {next === null ? 'Choose' : 'Other'}
        </button>
      </p>
    </div>
  );
}

function toChoices(): void {
  const heading = document.getElementById('choices');
  heading?.focus({ preventScroll: true });
  heading?.scrollIntoView({ block: 'start' });
}
