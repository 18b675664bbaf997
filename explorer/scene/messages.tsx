import type { Message, World } from '../../src/report/index.ts';
import { UNDEFINED } from '../../src/report/index.ts';
import { isLost, isReply } from '../model/sequence.ts';
import type { Layout } from './layout.ts';
import { textWidth } from './text-width.ts';

interface MessagesProps {
  readonly world: World;
  readonly before: World | null;
  readonly layout: Layout;
}

/** What is under way between the replicas, and what was just lost. */
export function Messages({ world, before, layout }: MessagesProps) {
  const lost = (before?.network ?? []).filter((message) => isLost(message, before!, world));
  return (
    <g>
      {world.network.map((message) => (
        <Envelope key={`${message.follower}-${message.type}`} message={message} layout={layout} lost={false} />
      ))}
      {lost.map((message) => (
        <Envelope key={`lost-${message.follower}`} message={message} layout={layout} lost={true} />
      ))}
    </g>
  );
}

function Envelope({ message, layout, lost }: { message: Message; layout: Layout; lost: boolean }) {
  const rows = layout.rows;
  const from = rows.findIndex(({ name }) => name === message.follower);
  const to = rows.findIndex(({ name }) => name === message.leader);
  const reply = isReply(message);
  const [a, b] = from < to ? [from, to] : [to, from];
  const upper = rows[from < to ? from : from - 1];
  const lower = rows[from < to ? from + 1 : from];
  if (upper === undefined || lower === undefined || a < 0 || b < 0) return null;
  const top = upper.y + upper.height;
  const bottom = lower.y;
  const text = textOf(message);
  const far = b - a > 1 ? ` (for ${reply ? message.follower : message.leader})` : '';
  const title = `${text.title}${far}${lost ? ' lost' : ''}`;
  const wide = Math.min(layout.width - 90, 30 + Math.max(textWidth(title, 13, 700), textWidth(text.fields, 12.5)));
  // Who asks upwards stands left, who asks downwards right: both may be under way.
  const x =
    from > to ? (layout.narrow ? 58 : layout.cellsX + 30) : Math.min(layout.width - wide - 16, layout.cellsX + 330);
  const goesUp = reply ? from < to : from > to;
  const [start, end] = goesUp ? [bottom - 2, top + 2] : [top + 2, bottom - 2];
  const y = (top + bottom) / 2 - 22;
  return (
    <g class={`message ${reply ? 'reply' : 'request'} ${lost ? 'lost' : ''} ${goesUp ? 'up' : 'downwards'}`}>
      <path class="wire" d={`M${x - 22} ${start}V${end}`} marker-end={lost ? undefined : 'url(#arrow)'} />
      <g transform={`translate(${x} ${y})`}>
        <rect class="card" x="-8" width={wide} height="44" rx="9" />
        <text class="title" x="6" y="18">
          {title}
        </text>
        <text class="fields" x="6" y="35">
          {text.fields}
        </text>
      </g>
      {lost ? <path class="cross" d={`M${x - 29} ${y + 15}l14 14m0 -14l-14 14`} /> : null}
    </g>
  );
}

/** A message in words: who asks what, and its fields. */
export function textOf(message: Message): { title: string; fields: string } {
  const {
    type,
    follower,
    leader,
    leaderEpoch,
    offset,
    asked,
    error,
    lastFetchedEpoch,
    knownHw,
    diverging,
    epoch,
    endOffset,
    hw,
  } = message;
  switch (type) {
    case 'FetchRequest':
      return {
        title: `Fetch ${follower} → ${leader}`,
        fields: [
          `from offset ${offset}`,
          ...(lastFetchedEpoch === UNDEFINED ? [] : [`last epoch e${lastFetchedEpoch}`]),
          ...(knownHw === UNDEFINED ? [] : [`knows HW ${knownHw}`]),
          `sent in e${leaderEpoch}`,
        ].join(', '),
      };
    case 'FetchResponse': {
      const title = `Reply ${leader} → ${follower}`;
      if (error !== 'none') return { title, fields: error };
      if (diverging !== null)
        return { title, fields: `logs part: e${diverging.epoch} ends at ${diverging.endOffset}, HW ${hw}` };
      const records = message.records.map(({ id }) => `m${id}`).join(' ');
      return { title, fields: `${records === '' ? 'no records' : `records ${records}`}, HW ${hw}` };
    }
    case 'OffsetsForLeaderEpochRequest':
      return {
        title: `OffsetsForLeaderEpoch ${follower} → ${leader}`,
        fields: `where does ${asked === UNDEFINED ? 'epoch −1' : `e${asked}`} end? sent in e${leaderEpoch}`,
      };
    case 'OffsetsForLeaderEpochResponse': {
      const title = `Answer ${leader} → ${follower}`;
      if (error !== 'none') return { title, fields: error };
      if (endOffset === UNDEFINED) return { title, fields: 'unknown (−1)' };
      return { title, fields: `${epoch === UNDEFINED ? `e${asked}` : `e${epoch}`} ends at ${endOffset}` };
    }
    default:
      return { title: `${type} ${follower} – ${leader}`, fields: '' };
  }
}
