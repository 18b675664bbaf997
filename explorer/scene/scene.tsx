import { isAlive, isElected, type World } from '../../src/report/index.ts';
import { describeWorld } from '../model/describe.ts';
import { EpochPatterns } from './epochs.tsx';
import { forksOf, layoutOf, lostIn } from './layout.ts';
import { Messages } from './messages.tsx';
import { Row } from './row.tsx';
import { Strip } from './strip.tsx';

export interface SceneProps {
  readonly world: World;
  /** The state before, for what the step added, cut or lost. */
  readonly before: World | null;
  readonly width: number;
  /** Room for so many records, so that all drawings of a trace are alike. */
  readonly records: number;
  readonly written: number;
  readonly lazy: boolean;
  readonly power: boolean;
  /** By replica, where not all run the same. */
  readonly rules?: Readonly<Record<string, string>> | undefined;
}

/** The cluster in one state: logs, marks, disks, who leads, messages, and what clients know. */
export function Scene({ world, before, width, records, written, lazy, power, rules }: SceneProps) {
  const layout = layoutOf(world, width, records);
  const lost = lostIn(world);
  const caches = world.replicas.some(({ epochCache }) => epochCache.length > 0);
  return (
    <svg
      class="scene"
      viewBox={`0 0 ${layout.width} ${layout.height}`}
      width={layout.width}
      height={layout.height}
      role="img"
      aria-label={describeWorld(world)}
    >
      <EpochPatterns />
      <Strip world={world} layout={layout} lost={lost.map(({ id }) => id)} written={written} />
      {layout.rows.map((row) => {
        const replica = world.replicas.find(({ name }) => name === row.name)!;
        return (
          <Row
            key={row.name}
            replica={replica}
            before={before?.replicas.find(({ name }) => name === row.name) ?? null}
            row={row}
            layout={layout}
            elected={isElected(world, replica)}
            inSync={world.controller.isr.includes(row.name)}
            eligible={world.elr.includes(row.name)}
            rule={rules?.[row.name] ?? null}
            alive={isAlive(replica)}
            acked={new Set(world.acked.map(({ id }) => id))}
            forks={forksOf(world, replica)}
            lost={lost.filter(({ leader }) => leader === row.name)}
            shows={{ caches, lazy, power }}
          />
        );
      })}
      <Messages world={world} before={before} layout={layout} />
    </svg>
  );
}
