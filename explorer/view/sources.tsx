import { useMemo, useState } from 'preact/hooks';
import type { Opened } from '../model/opened.ts';
import { type CodeBlock, codeBlocks } from '../model/ran/code.ts';
import { whatRan } from '../model/ran/what-ran.ts';
import { type SpecBlock, specBlocks } from '../model/spec/spec-blocks.ts';
import { useLibrary } from './context.ts';

/** The action and what it calls first; the rest is opened by whoever wants it. */
const OPEN = 4;

/** The lines that ran in this step: of the implementation, and of the specification. */
export function Sources({ opened, index }: { opened: Opened; index: number }) {
  const { sources } = useLibrary().data;
  const ran = useMemo(() => whatRan(opened, index), [opened, index]);
  const code = useMemo(() => codeBlocks(ran, sources), [ran]);
  const spec = useMemo(() => specBlocks(opened.action(index)?.name ?? '', ran, sources), [ran, opened, index]);
  if (index === 0) return <p class="empty">Nothing has run yet. Take a step.</p>;
  return (
    <div class="sources">
      <section class="listing" aria-label="Implementation">
        <h3>
          Implementation <span class="quiet">src/replica, as it ran</span>
        </h3>
        {code.length === 0 ? <p class="empty">The implementation does not take this step here.</p> : null}
        {code.map((block, at) => (
          <Code key={`${block.file}-${block.fn}`} block={block} isOpen={at < OPEN && block.file !== 'network.ts'} />
        ))}
      </section>
      <section class="listing" aria-label="Specification">
        <h3>
          Specification <span class="quiet">spec, the branch that was taken</span>
        </h3>
        {spec.length === 0 ? <p class="empty">The specification has no action of this name.</p> : null}
        {spec.map((block) => (
          <Tla key={block.name} block={block} />
        ))}
      </section>
    </div>
  );
}

/** `isOpen`: until somebody opens or closes it. */
function Code({ block, isOpen }: { block: CodeBlock; isOpen: boolean }) {
  const [chosen, setChosen] = useState<boolean | null>(null);
  const open = chosen ?? isOpen;
  return (
    <details
      open={open}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open !== open) setChosen(currentTarget.open);
      }}
    >
      <summary>
        <code>{block.fn}</code> <span class="quiet">{`${block.file}:${block.firstLine}`}</span>
      </summary>
      {open ? (
        <pre tabIndex={0}>
          <code>
            {block.pieces.map((piece, index) => (
              <span key={index} class={piece.kind}>
                {piece.text}
              </span>
            ))}
          </code>
        </pre>
      ) : null}
    </details>
  );
}

function Tla({ block }: { block: SpecBlock }) {
  return (
    <details open>
      <summary>
        <code>{block.name}</code> <span class="quiet">{`${block.module}:${block.firstLine}`}</span>
      </summary>
      <pre tabIndex={0}>
        <code>
          {block.lines.map((line, index) => (
            <span key={index} class={{ taken: 'ran', other: 'idle', comment: 'frame' }[block.kinds[index]!]}>
              {`${line}\n`}
            </span>
          ))}
        </code>
      </pre>
    </details>
  );
}
