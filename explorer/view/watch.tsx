import { useState } from 'preact/hooks';
import type { Opened } from '../model/opened.ts';
import { Sentence } from './sentence.tsx';
import { Stage } from './stage.tsx';
import { Timeline } from './timeline.tsx';
import { useKeys } from './use-keys.ts';
import { usePlayer } from './use-player.ts';

export function Watch({ opened }: { opened: Opened }) {
  const [index, setIndex] = useState(0);
  const player = usePlayer({
    last: opened.last,
    index,
    loop: opened.trace.loop,
    lengthOf: (at) => opened.sentence(at).length,
    onGo: setIndex,
  });
  useKeys(player);
  return (
    <section class="watch" aria-label="Watch">
      <Stage opened={opened} index={index} />
      <Timeline opened={opened} player={player} />
      <Sentence opened={opened} index={index} />
    </section>
  );
}
