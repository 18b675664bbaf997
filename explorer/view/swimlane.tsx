import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Opened } from '../model/opened.ts';
import { type Arrow, CLIENTS, CONTROLLER, type Note, type Sequence, sequenceOf } from '../model/sequence.ts';
import { textWidth } from '../scene/text-width.ts';

const ROW = 34;
const NUMBER = 34;
/** Rows drawn beyond what is seen. */
const SPARE = 8;

export interface SwimlaneProps {
  readonly opened: Opened;
  readonly index: number;
  readonly onGo: (index: number) => void;
  readonly width: number;
}

/** All messages over time, and what happened between them; only what is seen is drawn. */
export function Swimlane({ opened, index, onGo, width }: SwimlaneProps) {
  const sequence = useMemo(() => sequenceOf(opened), [opened]);
  const { ref, top, height, onScroll } = useFollowing(index, opened);

  const first = Math.max(0, Math.floor(top / ROW) - SPARE);
  const last = Math.min(opened.last, Math.ceil((top + height) / ROW) + SPARE);
  // What is drawn of one place is drawn over for the next: keys go round, and a jump makes no new elements.
  const rows = last - first + 1;
  const lanes = laneXs(sequence, width);
  return (
    <div class="swimlane">
      <div class="lanes" aria-hidden="true" style={{ width: `${width}px` }}>
        {sequence.lanes.map((lane, at) => (
          <span
            key={lane}
            class={lane === CLIENTS || lane === CONTROLLER ? 'minor' : ''}
            style={{ left: `${lanes.at(at)}px` }}
          >
            {lane}
          </span>
        ))}
      </div>
      <section class="rows" ref={ref} tabIndex={0} aria-label="All messages" onScroll={onScroll}>
        <svg
          width={width}
          height={heightOf(opened)}
          role="img"
          aria-label={`${sequence.arrows.length} messages in ${opened.last} steps`}
        >
          <Lifelines xs={lanes} first={first} last={last} />
          <rect class="current" x="0" y={index * ROW} width={width} height={ROW} />
          {Array.from({ length: rows }, (_, at) => first + at).map((step) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: the timeline does the same, for keys and screen readers
            <g key={step % rows} class="hit" onClick={() => onGo(step)}>
              <rect x="0" y={step * ROW} width={width} height={ROW} />
              <text x={NUMBER - 10} y={step * ROW + 21}>
                {step}
              </text>
            </g>
          ))}
          {sequence.arrows
            .filter((arrow) => arrow.sent <= last && (arrow.arrived ?? opened.last) >= first)
            .map((arrow, at) => (
              <ArrowLine key={at} arrow={arrow} sequence={sequence} xs={lanes} index={index} end={opened.last} />
            ))}
          {sequence.notes
            .filter(({ step }) => step >= first && step <= last)
            .map((note, at) => (
              <NoteBox
                key={at}
                note={note}
                x={lanes[sequence.lanes.indexOf(note.lane)]!}
                width={width}
                index={index}
                besides={sequence.arrows.some((arrow) => arrow.arrived === note.step && arrow.to === CLIENTS)}
              />
            ))}
        </svg>
      </section>
    </div>
  );
}

/** What of the rows is seen. Their box scrolls so that the current one is; it is asked for nothing that would lay out the page. */
function useFollowing(index: number, opened: Opened) {
  const ref = useRef<HTMLElement>(null);
  const at = useRef({ top: 0, index: -1, opened, scrolls: false });
  const [, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  const now = at.current;
  if (now.index !== index || now.opened !== opened) {
    const y = index * ROW;
    if (y < now.top + ROW || y > now.top + height - 3 * ROW) {
      now.top = Math.max(0, Math.min(y - height / 2, heightOf(opened) - height));
      now.scrolls = true;
    }
    now.index = index;
    now.opened = opened;
  }
  useLayoutEffect(() => {
    if (now.scrolls && ref.current !== null) ref.current.scrollTop = now.top;
    now.scrolls = false;
  });
  useLayoutEffect(() => {
    const box = ref.current;
    if (box === null) return;
    const observer = new ResizeObserver(([entry]) => setHeight(entry?.contentRect.height ?? box.clientHeight));
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  const onScroll = () => {
    const to = ref.current?.scrollTop ?? 0;
    // It was scrolled from here: that is drawn already.
    if (Math.abs(to - now.top) < 1) return;
    now.top = to;
    setTop(to);
  };
  return { ref, top: now.top, height, onScroll };
}

function heightOf(opened: Opened): number {
  return (opened.last + 2) * ROW;
}

function laneXs({ lanes }: Sequence, width: number): number[] {
  const room = width - NUMBER - 64;
  return lanes.map((_, index) => NUMBER + 24 + (room * index) / Math.max(1, lanes.length - 1));
}

function Lifelines({ xs, first, last }: { xs: readonly number[]; first: number; last: number }) {
  return (
    <g class="lifelines">
      {xs.map((x) => (
        <path key={x} d={`M${x} ${first * ROW}V${(last + 1) * ROW}`} />
      ))}
    </g>
  );
}

interface ArrowProps {
  readonly arrow: Arrow;
  readonly sequence: Sequence;
  readonly xs: readonly number[];
  readonly index: number;
  readonly end: number;
}

function ArrowLine({ arrow, sequence, xs, index, end }: ArrowProps) {
  const x1 = xs[sequence.lanes.indexOf(arrow.from)]!;
  const x2 = xs[sequence.lanes.indexOf(arrow.to)]!;
  const shift = ROW / 2 + (arrow.shift ?? 0);
  const y1 = arrow.sent * ROW + shift;
  const arrived = arrow.arrived ?? end + 1;
  const y2 = arrived * ROW + shift;
  const far = arrow.lost ? 0.55 : 0.86;
  const stops = arrow.lost || arrow.arrived === null;
  const [tx, ty] = stops ? [x1 + (x2 - x1) * far, y1 + (y2 - y1) * far] : [x2 - Math.sign(x2 - x1) * 3, y2];
  const when = arrow.sent > index ? 'later' : arrived < index ? 'past' : 'now';
  const wide = textWidth(arrow.label, 12) + 6;
  // Between the row where it is sent and the next: further down something else may stand.
  const along = Math.min(0.5, 0.5 / Math.max(1, arrived - arrow.sent));
  const [lx, ly] = [x1 + (tx - x1) * along, y1 + (ty - y1) * along];
  return (
    <g class={`arrow ${when} ${arrow.reply ? 'reply' : ''} ${arrow.lost ? 'lost' : ''}`}>
      <title>{arrow.title}</title>
      <path d={`M${x1} ${y1}L${tx} ${ty}`} />
      {arrow.lost ? (
        <path class="cross" d={`M${tx - 5} ${ty - 5}l10 10m0 -10l-10 10`} />
      ) : (
        <path class="tip" d={tipAt(x1, y1, tx, ty)} />
      )}
      <rect class="ground" x={lx - wide / 2} y={ly - 8} width={wide} height="16" rx="4" />
      <text x={lx} y={ly + 4} text-anchor="middle">
        {arrow.label}
      </text>
    </g>
  );
}

function tipAt(x1: number, y1: number, x: number, y: number): string {
  const angle = Math.atan2(y - y1, x - x1);
  const point = (turn: number) => `${x - 9 * Math.cos(angle + turn)} ${y - 9 * Math.sin(angle + turn)}`;
  return `M${x} ${y}L${point(0.4)}L${point(-0.4)}z`;
}

interface NoteProps {
  readonly note: Note;
  readonly x: number;
  readonly width: number;
  readonly index: number;
  /** Whether an arrow begins or ends there as well. */
  readonly besides: boolean;
}

function NoteBox({ note, x, width, index, besides }: NoteProps) {
  const wide = textWidth(note.label, 12) + 18;
  // What clients are told in the same step stands to the left of it.
  const left = Math.max(NUMBER - 4, Math.min(width - wide - 6, besides ? x - 10 : x - wide / 2));
  const when = note.step > index ? 'later' : note.step < index ? 'past' : 'now';
  return (
    <g class={`note ${note.kind} ${when}`} transform={`translate(${left} ${note.step * ROW + 6})`}>
      <rect width={wide} height="22" rx="6" />
      <text x={wide / 2} y="15.5">
        {note.label}
      </text>
    </g>
  );
}
