/**
 * What clients of one partition saw, judged by what a log promises them. Knows nothing of replicas, leaders or epochs: it
 * serves a simulated cluster and a real one alike.
 */
export type ClientEvent =
  /** A producer gives a record; `id` stands for its content, and is given once. */
  | { readonly kind: 'sent'; readonly id: number; readonly acks: '1' | 'all' }
  /** It was told that the record is stored. */
  | { readonly kind: 'acked'; readonly id: number; readonly offset: number }
  /** It was told of an error, or nothing in time: the record may be stored, or not. */
  | { readonly kind: 'unknown'; readonly id: number }
  /** It was refused before anything was written: the record must never be seen. */
  | { readonly kind: 'refused'; readonly id: number }
  /** A consumer asked for all records from an offset on, and got these, without gaps. */
  | { readonly kind: 'read'; readonly offset: number; readonly ids: readonly number[] }
  /** The same, when all is settled: whatever was promised must be there. */
  | { readonly kind: 'lastRead'; readonly offset: number; readonly ids: readonly number[] };

export type Breach =
  /** An acknowledged record (acks=all) is not where it was acknowledged. */
  | {
      readonly kind: 'lost';
      readonly event: number;
      readonly id: number;
      readonly offset: number;
      readonly found: number | null;
    }
  /** A consumer was shown a record, and a later one is shown another at that offset, or none at the end. */
  | {
      readonly kind: 'changed';
      readonly event: number;
      readonly offset: number;
      readonly before: number;
      readonly now: number | null;
    }
  /** One record at two offsets. */
  | { readonly kind: 'twice'; readonly event: number; readonly id: number; readonly offsets: readonly [number, number] }
  /** A record that nobody sent, or whose write was refused. */
  | { readonly kind: 'neverWritten'; readonly event: number; readonly id: number; readonly offset: number }
  /** Two records were acknowledged at one offset. */
  | {
      readonly kind: 'sameOffset';
      readonly event: number;
      readonly offset: number;
      readonly ids: readonly [number, number];
    };

/** All that contradicts what was said before; `event` counts from 0. A read may be short: high watermarks lag. */
export function judgeHistory(events: readonly ClientEvent[]): Breach[] {
  const breaches: Breach[] = [];
  const sent = new Map<number, '1' | 'all'>();
  const refused = new Set<number>();
  /** What was promised (acks=all) or shown, by offset. */
  const promised = new Map<number, number>();
  const shown = new Map<number, number>();
  const offsetOf = new Map<number, number>();

  const see = (event: number, offset: number, id: number): void => {
    if (!sent.has(id) || refused.has(id)) breaches.push({ kind: 'neverWritten', event, id, offset });
    const acked = promised.get(offset);
    if (acked !== undefined && acked !== id) breaches.push({ kind: 'lost', event, id: acked, offset, found: id });
    const before = shown.get(offset);
    if (before !== undefined && before !== id && before !== acked) {
      breaches.push({ kind: 'changed', event, offset, before, now: id });
    }
    const elsewhere = offsetOf.get(id);
    if (elsewhere !== undefined && elsewhere !== offset) {
      breaches.push({ kind: 'twice', event, id, offsets: [elsewhere, offset] });
    }
    shown.set(offset, id);
    offsetOf.set(id, offset);
  };

  events.forEach((event, index) => {
    switch (event.kind) {
      case 'sent':
        sent.set(event.id, event.acks);
        break;
      case 'refused':
        refused.add(event.id);
        break;
      case 'unknown':
        break;
      case 'acked': {
        const { id, offset } = event;
        // acks=1 promises nothing beyond its leader's own life.
        if (sent.get(id) !== 'all') break;
        const other = promised.get(offset);
        if (other !== undefined && other !== id)
          breaches.push({ kind: 'sameOffset', event: index, offset, ids: [other, id] });
        promised.set(offset, id);
        break;
      }
      case 'read':
      case 'lastRead': {
        for (const [at, id] of event.ids.entries()) see(index, event.offset + at, id);
        if (event.kind === 'lastRead') breaches.push(...missingAtTheEnd(event, index, promised, shown));
      }
    }
  });
  return breaches;
}

function missingAtTheEnd(
  { offset: start, ids }: Extract<ClientEvent, { kind: 'lastRead' }>,
  event: number,
  promised: ReadonlyMap<number, number>,
  shown: ReadonlyMap<number, number>,
): Breach[] {
  const end = start + ids.length;
  const lost = [...promised].filter(([offset]) => offset >= end);
  const gone = [...shown].filter(([offset]) => offset >= end && !promised.has(offset));
  return [
    ...lost.map(([offset, id]) => ({ kind: 'lost' as const, event, id, offset, found: null })),
    ...gone.map(([offset, before]) => ({ kind: 'changed' as const, event, offset, before, now: null })),
  ];
}
