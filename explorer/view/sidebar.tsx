import { useRef } from 'preact/hooks';
import type { Opened } from '../model/opened.ts';
import { Swimlane } from './swimlane.tsx';
import { useWidth } from './use-width.ts';

export interface SidebarProps {
  readonly opened: Opened;
  readonly index: number;
  readonly onGo: (index: number) => void;
}

/** The whole trace at a glance. */
export function Sidebar({ opened, index, onGo }: SidebarProps) {
  const ref = useRef<HTMLDivElement>(null);
  const width = useWidth(ref, 400);
  if (opened.config === null) return <StepList opened={opened} index={index} onGo={onGo} />;
  return (
    <aside class="side card" aria-label="All steps" ref={ref}>
      {opened.claim === null ? null : (
        <p class="story">
          {opened.claim.story} <span class="quiet">{opened.claim.source.join(', ')}</span>
        </p>
      )}
      <h2>All messages</h2>
      <Swimlane opened={opened} index={index} onGo={onGo} width={width} />
    </aside>
  );
}

/** For a trace of any specification. */
function StepList({ opened, index, onGo }: SidebarProps) {
  const first = Math.max(0, index - 100);
  const steps = Array.from({ length: Math.min(opened.last, index + 100) - first + 1 }, (_, at) => first + at);
  return (
    <aside class="side card" aria-label="All steps">
      <h2>All steps</h2>
      <ol class="steps" start={first}>
        {steps.map((step) => (
          <li key={step}>
            <button
              type="button"
              class="link"
              aria-current={step === index ? 'step' : undefined}
              onClick={() => onGo(step)}
            >
              {`${step} ${opened.call(step)}`}
            </button>
          </li>
        ))}
      </ol>
    </aside>
  );
}
