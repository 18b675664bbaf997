import { useMemo } from 'preact/hooks';
import { marksOf } from '../model/marks.ts';
import type { Opened } from '../model/opened.ts';
import { CallToAction } from './call-to-action.tsx';
import { Evidence } from './evidence.tsx';
import { Sentence } from './sentence.tsx';
import { Sidebar } from './sidebar.tsx';
import { Stage } from './stage.tsx';
import { Timeline } from './timeline.tsx';
import { useKeys } from './use-keys.ts';
import { usePlayer } from './use-player.ts';

export interface WatchProps {
  readonly opened: Opened;
  readonly index: number;
  readonly onGo: (index: number) => void;
  /** Null: the trace is of another specification. */
  readonly onTry: ((index: number) => void) | null;
}

/** A trace, step by step. */
export function Watch({ opened, index, onGo, onTry }: WatchProps) {
  const player = usePlayer({
    ...{ index, onGo, last: opened.last, loop: opened.trace.loop },
    lengthOf: (at) => opened.sentence(at).length,
  });
  useKeys(player);
  const marks = useMemo(() => marksOf(opened), [opened]);
  return (
    <>
      <div class="screen">
        <section class="main-column card" aria-label="What happens">
          <About opened={opened} />
          {opened.config === null ? null : <Stage opened={opened} index={index} />}
          <div class="controls">
            <Timeline player={player} last={opened.last} nameOf={(at) => opened.call(at)} marks={marks} />
            <Sentence opened={opened} index={index} />
          </div>
          {onTry === null ? null : <CallToAction opened={opened} index={index} player={player} onTry={onTry} />}
        </section>
        <Sidebar opened={opened} index={index} onGo={player.go} />
      </div>
      <Evidence opened={opened} index={index} />
    </>
  );
}

/** What the trace is about. */
function About({ opened }: { opened: Opened }) {
  const { claim, problem } = opened;
  if (claim === null && problem === null) return <h2 class="about">{opened.title}</h2>;
  return (
    <div class="about">
      <h2>{opened.title}</h2>
      {claim === null ? null : (
        <p>
          {claim.story} <span class="quiet">{claim.source.join(', ')}</span>
        </p>
      )}
      {problem === null ? null : <p class="verdict">{`${problem} What it has is shown as variables.`}</p>}
    </div>
  );
}
