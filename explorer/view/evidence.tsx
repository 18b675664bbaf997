import { useState } from 'preact/hooks';
import type { Opened } from '../model/opened.ts';
import { Sources } from './sources.tsx';
import { Variables } from './variables.tsx';

/** Below the scene: the code that ran, and the variables that changed. */
export function Evidence({ opened, index }: { opened: Opened; index: number }) {
  const [shown, setShown] = useState<'code' | 'variables'>('code');
  const plain = opened.config === null;
  const what = plain ? 'variables' : shown;
  return (
    <section class="evidence card" aria-label="What is behind it">
      {plain ? (
        <h2>Variables</h2>
      ) : (
        <div class="switch" role="tablist" aria-label="What is behind it">
          {(['code', 'variables'] as const).map((one) => (
            <button
              key={one}
              type="button"
              role="tab"
              id={`tab-${one}`}
              aria-selected={what === one}
              aria-controls="evidence"
              tabIndex={what === one ? 0 : -1}
              onClick={() => setShown(one)}
              onKeyDown={(event) => {
                if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
                const other = one === 'code' ? 'variables' : 'code';
                setShown(other);
                document.getElementById(`tab-${other}`)?.focus();
              }}
            >
              {one === 'code' ? 'The code that ran' : 'The variables that changed'}
            </button>
          ))}
        </div>
      )}
      {plain ? (
        <Variables opened={opened} index={index} />
      ) : (
        <div id="evidence" role="tabpanel" aria-labelledby={`tab-${what}`}>
          {what === 'code' ? <Sources opened={opened} index={index} /> : <Variables opened={opened} index={index} />}
        </div>
      )}
    </section>
  );
}
