import { useMemo, useRef } from 'preact/hooks';
import { goalOf } from '../model/goal.ts';
import { marksOf } from '../model/marks.ts';
import type { Opened } from '../model/opened.ts';
import { CallToAction } from './call-to-action.tsx';
import { Evidence } from './evidence.tsx';
import { Legend } from './legend.tsx';
import { Sentence } from './sentence.tsx';
import { Sidebar } from './sidebar.tsx';
import { Stage } from './stage.tsx';
import { Timeline } from './timeline.tsx';
import { useInSight } from './use-in-sight.ts';
import { useKeys } from './use-keys.ts';
import { usePlayer } from './use-player.ts';

export interface WatchProps {
  readonly opened: Opened;
  readonly index: number;
  readonly onGo: (index: number) => void;
  /** Null: the trace is of another specification. */
  readonly onTry: ((index: number) => void) | null;
  /** Null: there is nothing to be asked about it. */
  readonly onPredict: (() => void) | null;
}

/** A trace, step by step. */
export function Watch({ opened, index, onGo, onTry, onPredict }: WatchProps) {
  const player = usePlayer({
    ...{ index, onGo, last: opened.last, loop: opened.trace.loop },
    lengthOf: (at) => opened.sentence(at).length,
  });
  useKeys(player);
  const scene = useRef<HTMLDivElement>(null);
  useInSight(scene, index);
  const marks = useMemo(() => marksOf(opened), [opened]);
  return (
    <>
      <div class="screen">
        <section class="main-column card" aria-label="What happens">
          <About opened={opened} />
          {opened.config === null ? null : <Stage opened={opened} index={index} box={scene} />}
          <div class="controls">
            <Timeline player={player} last={opened.last} nameOf={(at) => opened.call(at)} marks={marks} />
            <Sentence opened={opened} index={index} />
          </div>
          {onTry === null ? null : <CallToAction {...{ opened, index, player, onTry, onPredict }} />}
          {index === 0 ? <Legend opened={opened} /> : null}
        </section>
        <Sidebar opened={opened} index={index} onGo={player.go} />
      </div>
      <Evidence opened={opened} index={index} />
    </>
  );
}

/** What the trace is about. */
function About({ opened }: { opened: Opened }) {
  const { problem } = opened;
  const goal = goalOf(opened);
  if (problem === null && goal === null) return <h2 class="about">{opened.title}</h2>;
  return (
    <div class="about">
      <h2>{opened.title}</h2>
      {goal === null ? null : <p class="goal">{goal}</p>}
      {problem === null ? null : <p class="verdict">{`${problem} What it has is shown as variables.`}</p>}
    </div>
  );
}
