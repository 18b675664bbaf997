import { useState } from 'preact/hooks';
import type { Opened } from '../model/opened.ts';
import { type Node, variableTree } from '../model/variables.ts';

/** All variables of the specification, with what the step changed, added and removed. */
export function Variables({ opened, index }: { opened: Opened; index: number }) {
  const [all, setAll] = useState(opened.config === null);
  const tree = variableTree(opened.trace.vars, index > 0 ? opened.state(index - 1) : null, opened.state(index));
  const changed = tree.filter(({ change }) => change !== 'same');
  const shown = all ? tree : changed;
  return (
    <div class="variables">
      <p class="bar">
        <span>
          {changed.length === 0 ? 'No variable changed.' : `${changed.length} of ${tree.length} variables changed.`}
        </span>
        <label class="check">
          <input type="checkbox" checked={all} onChange={(event) => setAll(event.currentTarget.checked)} /> show all
        </label>
      </p>
      <ul class="tree">
        {shown.map((node) => (
          <Branch key={node.label} node={node} />
        ))}
      </ul>
    </div>
  );
}

const WORD = { added: 'added', removed: 'removed', changed: 'changed', same: '' } as const;

function Branch({ node }: { node: Node }) {
  const { label, change, text, before, parts } = node;
  const isLeaf = parts.length === 0;
  return (
    <li class={change}>
      <span class="label">{label}</span>{' '}
      {isLeaf ? (
        <span class="value">
          {change === 'changed' ? (
            <>
              <del>{before}</del> <span aria-hidden="true">→</span> <ins>{text}</ins>
            </>
          ) : change === 'removed' ? (
            <del>{text}</del>
          ) : change === 'added' ? (
            <ins>{text}</ins>
          ) : (
            text
          )}
          {change === 'removed' || change === 'added' ? <span class="tag">{WORD[change]}</span> : null}
        </span>
      ) : (
        <ul>
          {parts.map((part, index) => (
            <Branch key={`${part.label}-${index}`} node={part} />
          ))}
        </ul>
      )}
    </li>
  );
}
