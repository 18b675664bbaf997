import { useMemo, useRef } from 'preact/hooks';
import type { Opened } from '../model/opened.ts';
import { Scene } from '../scene/scene.tsx';
import { useWidth } from './use-width.ts';

/** The drawing of one state of a trace, as wide as there is room. */
export function Stage({ opened, index, maxWidth = 1100 }: { opened: Opened; index: number; maxWidth?: number }) {
  const ref = useRef<HTMLDivElement>(null);
  const width = Math.min(maxWidth, useWidth(ref, 900));
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
      />
    </div>
  );
}
