import { useEffect, useMemo, useState } from 'preact/hooks';
import { showStep } from '../../src/replay/index.ts';
import type { Comparison, Moment } from '../model/compare.ts';
import { PROFILES, profileOption, profileTitle } from '../model/names.ts';
import type { Opened } from '../model/opened.ts';
import type { Session } from '../model/session.ts';
import { Stage } from './stage.tsx';
import { Timeline } from './timeline.tsx';
import { useKeys } from './use-keys.ts';
import { usePlayer } from './use-player.ts';

export interface ComparedProps {
  readonly session: Session;
  readonly comparison: Comparison;
  readonly versus: string;
  readonly onVersus: (rule: string) => void;
  readonly onBack: () => void;
}

/** One schedule, two rules, side by side. */
export function Compared({ session, comparison, versus, onVersus, onBack }: ComparedProps) {
  const { moments, other, outcome, result } = comparison;
  const [at, setAt] = useState(moments.length - 1);
  useEffect(() => setAt(moments.length - 1), [comparison]);
  const index = Math.min(at, moments.length - 1);
  const moment = moments[index]!;
  const player = usePlayer({
    index,
    last: moments.length - 1,
    lengthOf: (to) => textOf(moments[to]!, session.opened, other).length,
    onGo: setAt,
  });
  useKeys(player);
  const [broken] = session.broken();
  const parts = useMemo(() => partingOf(comparison, session.opened), [comparison, session]);
  const isOver = moment.left === session.opened.last;
  return (
    <section class="compared card" aria-label="The same schedule under two rules">
      <div class="setup">
        <button type="button" onClick={onBack}>
          ← Back to trying
        </button>
        <label>
          <span class="quiet">held against</span>
          <select value={versus} onChange={(event) => onVersus(event.currentTarget.value)}>
            {PROFILES.map((name) => (
              <option key={name} value={name}>
                {profileOption(name)}
              </option>
            ))}
          </select>
        </label>
        {parts === -1 ? null : (
          <button type="button" onClick={() => player.go(parts)} disabled={index === parts}>
            Where they part
          </button>
        )}
      </div>
      <p class={`outcome ${outcome.good ? 'good' : 'bad'}`} role="status">
        {outcome.text}
      </p>
      <div class="pair">
        <Side
          title={profileTitle(session.opened.profile)}
          note={isOver ? (broken?.what ?? 'Nothing is broken.') : LEFT_NOTES[moment.kind]}
          bad={isOver && broken !== undefined}
        >
          <Stage opened={session.opened} index={moment.left} />
        </Side>
        <Side title={profileTitle(versus)} note={noteOf(moment)} bad={false}>
          <Stage opened={other} index={moment.right} />
        </Side>
      </div>
      <Timeline
        player={player}
        last={moments.length - 1}
        nameOf={(to) => textOf(moments[to]!, session.opened, other)}
        marks={parts === -1 ? [] : [{ index: parts, kind: 'leads' }]}
      />
      <p class="sentence what" aria-live="polite">
        {textOf(moment, session.opened, other)}
      </p>
      {result.leftOut.length === 0 ? null : (
        <details class="impossible">
          <summary>{`${result.leftOut.length} steps of the old rule have no place under the other`}</summary>
          <ul>
            {result.leftOut.map(({ index: step, step: left, reason }) => (
              <li key={step}>{`Step ${step}, ${showStep(left)}: ${reason}.`}</li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

interface SideProps {
  readonly title: string;
  readonly note: string;
  readonly bad: boolean;
  readonly children: preact.ComponentChildren;
}

function Side({ title, note, bad, children }: SideProps) {
  return (
    <section class="side-by-side" aria-label={title}>
      <h2>{title}</h2>
      {children}
      <p class={bad ? 'note bad' : 'note'}>{note}</p>
    </section>
  );
}

/** The first moment at which something else happens; -1: none. */
function partingOf({ moments, other }: Comparison, opened: Opened): number {
  return moments.findIndex(
    ({ left, right, kind }) => kind !== 'start' && (kind !== 'both' || opened.sentence(left) !== other.sentence(right)),
  );
}

const LEFT_NOTES: Readonly<Record<Moment['kind'], string>> = {
  start: 'Both begin alike.',
  both: 'The same step on both sides.',
  putIn: 'There is no such step here.',
  catchingUp: '',
  leftOut: 'Only this rule takes this step.',
  refused: 'It goes on here.',
};

const NOTES: Readonly<Record<Moment['kind'], string>> = {
  start: 'Both begin alike.',
  both: 'The same step on both sides.',
  putIn: 'Only this rule takes this step: it asks first.',
  catchingUp: 'The schedule is over; the replicas catch up.',
  leftOut: 'This step of the old rule has no place here.',
  refused: 'The schedule cannot go on here.',
};

function noteOf({ kind }: Moment): string {
  return NOTES[kind];
}

function textOf({ left, right, kind }: Moment, opened: Opened, other: Opened): string {
  if (kind === 'start') return opened.sentence(0);
  if (kind === 'putIn' || kind === 'catchingUp') return other.sentence(right);
  if (kind === 'leftOut' || kind === 'refused') return opened.sentence(left);
  const [one, two] = [opened.sentence(left), other.sentence(right)];
  return one === two ? one : `${one} — With the other rule: ${two}`;
}
