import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { WorldStep } from '../../src/systems/system.ts';
import { compare } from '../model/compare.ts';
import type { Opened } from '../model/opened.ts';
import type { Session } from '../model/session.ts';
import { Actions, nextOf } from './actions.tsx';
import { Compared } from './compared.tsx';
import { Evidence } from './evidence.tsx';
import { QuickBar } from './quick-bar.tsx';
import { mendOf, RuleChooser } from './rule-chooser.tsx';
import { Setup } from './setup.tsx';
import { Sidebar } from './sidebar.tsx';
import { Stage } from './stage.tsx';
import { useInSight } from './use-in-sight.ts';
import { useTryKeys } from './use-try-keys.ts';

export interface TryProps {
  readonly session: Session;
  /** The trace that it began with. */
  readonly base: Opened | null;
  readonly versus: string | undefined;
  readonly onSession: (session: Session) => void;
  readonly onVersus: (rule: string | undefined) => void;
  /** Another cluster, from the beginning. */
  readonly onAnew: (session: Session) => void;
}

/** A cluster at one's own hands. */
export function TryView({ session, base, versus, onSession, onVersus, onAnew }: TryProps) {
  const { opened } = session;
  const now = opened.last;
  const [looksAt, setLooksAt] = useState<number | null>(null);
  const index = looksAt === null || looksAt > now ? now : looksAt;
  const broken = useMemo(() => session.broken(), [session]);
  const comparison = useMemo(() => (versus === undefined ? null : compare(session.trace(), versus)), [session, versus]);
  const scene = useRef<HTMLDivElement>(null);
  useInSight(scene, index);
  useEffect(() => setLooksAt(null), [session]);
  const next = nextOf(session, base);
  const take = (step: WorldStep) => onSession(session.take(step) ?? session);
  useTryKeys({
    isHere: versus === undefined,
    forward: () => next !== null && take(next),
    back: () => now > 0 && onSession(session.undo()),
  });
  useLayoutEffect(() => scrollTo(0, 0), [versus]);

  if (comparison !== null && versus !== undefined) {
    return <Compared {...{ session, comparison, versus, onVersus }} onBack={() => onVersus(undefined)} />;
  }
  const mends = mendOf(opened.profile, base?.claim?.mendedBy);
  const chooser = <RuleChooser current={opened.profile} mends={mends} onChoose={onVersus} />;
  return (
    <>
      <div class="screen">
        <section class="main-column card" aria-label="What you try">
          <Setup session={session} onAnew={onAnew} />
          <Stage opened={opened} index={index} box={scene} />
          <div class="sentence">
            <p class="call">
              <span class="number">{index === 0 ? 'At first' : `Step ${index}`}</span>
              {index > 0 ? <code>{opened.call(index)}</code> : null}
            </p>
            <p class="what" aria-live="polite">
              {opened.sentence(index)}
            </p>
            {broken.length === 0 ? null : (
              <p class="verdict bad">
                {broken.map(({ property, what }) => (
                  <span key={property}>{`${property} is broken: ${what}. `}</span>
                ))}
              </p>
            )}
          </div>
        </section>
        <aside class="side card choices" aria-label="What can happen now">
          {broken.length > 0 ? (
            <div class="save urgent">
              <p>
                <strong>You broke it.</strong> Now save it: the same schedule, under another rule.
              </p>
              {chooser}
            </div>
          ) : null}
          <Actions session={session} base={base} onTake={take} />
          <p class="next tools">
            <button type="button" disabled={now === 0} onClick={() => onSession(session.undo())} title="Undo (← or u)">
              Undo
            </button>
            <button type="button" disabled={now === 0} onClick={() => onSession(session.anew())}>
              Start again
            </button>
            {index < now ? (
              <button type="button" onClick={() => setLooksAt(null)}>
                Back to now
              </button>
            ) : null}
            <ShareButton />
          </p>
          {now === 0 || broken.length > 0 ? null : (
            <div class="save">
              <p>How would this end under another rule?</p>
              {chooser}
            </div>
          )}
        </aside>
      </div>
      <QuickBar
        session={session}
        next={next}
        mends={broken.length === 0 ? null : mends}
        onTake={take}
        onVersus={onVersus}
      />
      <div class="below">
        <Sidebar opened={opened} index={index} onGo={setLooksAt} />
        <Evidence opened={opened} index={index} />
      </div>
    </>
  );
}

function ShareButton() {
  const [copied, setCopied] = useState(false);
  return (
    <>
      <button
        type="button"
        onClick={async () => {
          await navigator.clipboard?.writeText(location.href).catch(() => {});
          setCopied(true);
        }}
      >
        Copy the link
      </button>
      <span role="status" class="quiet">
        {copied ? 'The address of this page has all that you did.' : ''}
      </span>
    </>
  );
}
