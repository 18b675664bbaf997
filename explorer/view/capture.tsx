import { useMemo, useRef } from 'preact/hooks';
import { printItf } from '../../src/trace/index.ts';
import { markdownOf } from '../model/capture/markdown.ts';
import { sequenceSvg } from '../model/capture/sequence-svg.ts';
import type { Opened } from '../model/opened.ts';
import { FileButton, type OpenProps } from './file-button.tsx';
import { picturePng, save, sceneSvg } from './picture.ts';
import { Stage } from './stage.tsx';

export interface CaptureProps extends OpenProps {
  readonly opened: Opened;
  readonly index: number;
}

/** What is shown or was tried, to be taken along; and traces to be brought. */
export function CaptureView({ opened, index, onOpen, onProblem }: CaptureProps) {
  const stage = useRef<HTMLDivElement>(null);
  const ours = opened.config !== null;
  const sequence = useMemo(() => (ours ? sequenceSvg(opened) : null), [opened]);
  const name = opened.name.replaceAll(/[^\w.-]+/g, '-');
  const drawing = () => sceneSvg(stage.current!.querySelector('svg.scene')!);
  return (
    <>
      <section class="card capture" aria-label="Take it along">
        <div class="about">
          <h2>{`Take it along: ${opened.title}`}</h2>
          <p>{`${opened.last} steps. Every file is made here, in the page.`}</p>
        </div>
        <p class="next">
          <button
            type="button"
            class="primary"
            onClick={() => save(`${name}.itf.json`, printItf(opened.trace), 'application/json')}
          >
            Trace (ITF)
          </button>
          <button
            type="button"
            disabled={!ours}
            onClick={() => save(`${name}.md`, markdownOf(opened), 'text/markdown')}
          >
            Report (Markdown, Mermaid)
          </button>
          <button
            type="button"
            disabled={!ours}
            onClick={() => save(`${name}-sequence.svg`, sequence!, 'image/svg+xml')}
          >
            Sequence diagram (SVG)
          </button>
          <button
            type="button"
            disabled={!ours}
            onClick={() => save(`${name}-${index}.svg`, drawing(), 'image/svg+xml')}
          >
            Scene (SVG)
          </button>
          <button
            type="button"
            disabled={!ours}
            onClick={() =>
              picturePng(drawing()).then(
                (blob) => save(`${name}-${index}.png`, blob),
                (error: Error) => onProblem(error.message),
              )
            }
          >
            Scene (PNG)
          </button>
        </p>
        {ours ? (
          <div class="preview">
            <figure ref={stage}>
              <Stage opened={opened} index={index} />
              <figcaption class="quiet">{`The scene after step ${index}`}</figcaption>
            </figure>
            <figure>
              <img
                alt={`Sequence diagram of ${opened.title}`}
                src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(sequence ?? '')}`}
              />
              <figcaption class="quiet">The sequence diagram</figcaption>
            </figure>
          </div>
        ) : null}
      </section>
      <section class="card capture" aria-label="Bring your own">
        <div class="about">
          <h2>Bring your own</h2>
          <p>
            Drop a trace in ITF anywhere on this page, or choose one. It stays in your browser. One of another
            specification is shown as variables.
          </p>
        </div>
        <p class="next">
          <FileButton onOpen={onOpen} onProblem={onProblem} />
        </p>
      </section>
    </>
  );
}
