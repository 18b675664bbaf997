import type { RefObject } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import type { Opened } from '../model/opened.ts';
import { Scene } from '../scene/scene.tsx';
import { useWidth } from './use-width.ts';

const MAX_WIDTH = 1100;

export interface StageProps {
  readonly opened: Opened;
  readonly index: number;
  /** For whoever has to know where it is. */
  readonly box?: RefObject<HTMLDivElement | null>;
}

/** The drawing of one state of a trace, as wide as there is room. */
export function Stage({ opened, index, box }: StageProps) {
  const own = useRef<HTMLDivElement>(null);
  const ref = box ?? own;
  const width = Math.min(MAX_WIDTH, useWidth(ref, 900));
  const fixed = useMemo(() => opened.shape(), [opened, opened.last]);
  return (
    <div class="stage" ref={ref}>
      <Scene
        world={opened.world(index)}
        before={index > 0 ? opened.world(index - 1) : null}
        width={width}
        records={fixed.records}
        written={opened.written(index)}
        lazy={fixed.lazy}
        power={fixed.power}
        rules={fixed.rules}
      />
    </div>
  );
}
