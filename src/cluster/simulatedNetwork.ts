import type { ReplicaId } from '../replica/index.ts';
import { unframed } from '../wire/index.ts';
import type { Link, LinkEvents } from './host.ts';

/** Connections between brokers whose frames take a while, break, and cannot be made where a pair is cut off. */
export class SimulatedNetwork {
  /** Calls when a message that is sent now arrives. */
  readonly #later: (call: () => void) => void;
  readonly #connections = new Set<Connection>();
  /** Pairs that cannot reach each other now. */
  readonly #cut = new Set<string>();

  constructor(later: (call: () => void) => void) {
    this.#later = later;
  }

  get connections(): readonly Connection[] {
    return [...this.#connections];
  }

  /** Null: it cannot be reached. `accept`: of the other end. */
  connect(from: ReplicaId, to: ReplicaId, events: LinkEvents, accept: (link: Link) => LinkEvents): Link | null {
    if (this.#cut.has(pairOf(from, to))) return null;
    const connection = new Connection(from, to, this.#later, (closed) => this.#connections.delete(closed));
    const [own, other] = connection.ends;
    this.#connections.add(connection);
    connection.listen(events, accept(other));
    return own;
  }

  /** All connections of a broker whose process is gone. */
  drop(id: ReplicaId): void {
    for (const connection of this.#connections) if (connection.isOf(id)) connection.close(null);
  }

  /** The result mends it. */
  cutOff(one: ReplicaId, other: ReplicaId): () => void {
    const pair = pairOf(one, other);
    this.#cut.add(pair);
    for (const connection of this.#connections)
      if (connection.isOf(one) && connection.isOf(other)) connection.close(null);
    return () => this.#cut.delete(pair);
  }

  mendAll(): void {
    this.#cut.clear();
  }
}

/** What is under way on a connection is lost when it is closed, by whomever, in both directions, and both ends hear of it. */
class Connection {
  readonly ends: readonly [Link, Link];
  readonly #from: ReplicaId;
  readonly #to: ReplicaId;
  readonly #later: (call: () => void) => void;
  readonly #onClose: (connection: Connection) => void;
  #events: readonly [LinkEvents, LinkEvents] | null = null;
  #open = true;

  constructor(
    from: ReplicaId,
    to: ReplicaId,
    later: (call: () => void) => void,
    onClose: (connection: Connection) => void,
  ) {
    this.#from = from;
    this.#to = to;
    this.#later = later;
    this.#onClose = onClose;
    this.ends = [this.#end(0), this.#end(1)];
  }

  isOf(id: ReplicaId): boolean {
    return this.#from === id || this.#to === id;
  }

  listen(own: LinkEvents, other: LinkEvents): void {
    this.#events = [own, other];
  }

  /** `by`: the end that closes, which is not told. */
  close(by: 0 | 1 | null): void {
    if (!this.#open) return;
    this.#open = false;
    this.#onClose(this);
    if (by !== 1) this.#events?.[1].closed();
    if (by !== 0) this.#events?.[0].closed();
  }

  #end(side: 0 | 1): Link {
    return {
      send: (frame) =>
        this.#later(() => {
          if (this.#open) this.#events?.[side === 0 ? 1 : 0].frame(unframed(frame));
        }),
      close: () => this.close(side),
    };
  }
}

function pairOf(one: ReplicaId, other: ReplicaId): string {
  return [one, other].sort().join(' ');
}
