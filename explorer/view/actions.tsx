import { useEffect, useMemo, useRef } from 'preact/hooks';
import { showStep, stepOf } from '../../src/replay/index.ts';
import type { WorldStep } from '../../src/systems/system.ts';
import { type Actor, actorsOf } from '../model/actors.ts';
import { labelOf } from '../model/labels.ts';
import { words } from '../model/names.ts';
import type { Opened } from '../model/opened.ts';
import type { Session } from '../model/session.ts';

export interface ActionsProps {
  readonly session: Session;
  readonly base: Opened | null;
  readonly onTake: (step: WorldStep) => void;
}

/** What can happen now, by who does it; and why all else cannot. */
export function Actions({ session, base, onTake }: ActionsProps) {
  const choices = useMemo(() => session.choices(), [session]);
  const actors = useMemo(() => actorsOf(session, choices), [session, choices]);
  const next = nextOf(session, base);
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that was pressed may be gone: whoever uses the keyboard goes on from here.
  useEffect(() => {
    if (session.steps.length > 0 && document.activeElement === document.body) {
      heading.current?.focus({ preventScroll: true });
    }
  }, [session]);
  const impossible = choices.filter(({ possible }) => possible.length === 0);
  return (
    <>
      <h2 id="choices" ref={heading} tabIndex={-1}>
        What happens next?
      </h2>
      {next === null ? null : (
        <p class="quiet hint">
          Follow{' '}
          <span class="star" aria-hidden="true">
            ★
          </span>{' '}
          to break it as in “{base?.title}” (step {session.steps.length + 1} of {base?.last}), or go your own way. Keys:
          → takes ★, ← takes a step back.
        </p>
      )}
      {actors.map((actor) => (
        <ActorBox key={actor.name} actor={actor} session={session} next={next} onTake={onTake} />
      ))}
      {impossible.length === 0 ? null : (
        <details class="impossible">
          <summary>{`Why not? ${impossible.length} others cannot happen now`}</summary>
          <dl>
            {impossible.map(({ action, reasons }) => (
              <div key={action}>
                <dt>{words(action)}</dt>
                <dd>{reasons.length === 0 ? 'there is nothing that it could be about' : reasons.join('; ')}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </>
  );
}

interface ActorProps {
  readonly actor: Actor;
  readonly session: Session;
  readonly next: WorldStep | null;
  readonly onTake: (step: WorldStep) => void;
}

function ActorBox({ actor, session, next, onTake }: ActorProps) {
  return (
    <section class="actor" aria-label={actor.name}>
      <h3>
        {actor.name} <span class="quiet">{actor.role}</span>
      </h3>
      <div class="buttons">
        {actor.steps.map((step) => {
          const call = showStep(step);
          const isNext = next !== null && call === showStep(next);
          return (
            <button
              key={call}
              type="button"
              class={`take ${isNext ? 'recorded' : ''} ${isFault(step) ? 'fault' : ''}`}
              data-step={call}
              title={session.preview(step)}
              onClick={() => onTake(step)}
            >
              {isNext ? <Star /> : null}
              {labelOf(step, session.opened, session.opened.last)}
            </button>
          );
        })}
      </div>
    </section>
  );
}

function isFault({ action }: WorldStep): boolean {
  return ['Crash', 'PowerLoss', 'LoseMessage', 'ElectUnclean'].includes(action);
}

/** The next step of the trace that this began with, as long as nobody has left its track. */
export function nextOf(session: Session, base: Opened | null): WorldStep | null {
  if (base === null || base.profile !== session.opened.profile) return null;
  for (const [index, step] of session.steps.entries()) {
    const action = base.action(index + 1);
    const recorded = action === null ? null : stepOf(action);
    if (recorded === null || showStep(recorded) !== showStep(step)) return null;
  }
  const action = base.action(session.steps.length + 1);
  return action === null ? null : stepOf(action);
}

function Star() {
  return (
    <span class="star">
      <span aria-hidden="true">★</span>
      <span class="visually-hidden">as recorded: </span>
    </span>
  );
}
