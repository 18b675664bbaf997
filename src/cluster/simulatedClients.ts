import type { ClientEvent } from '../conform/history.ts';
import { encodeBatch, readRecords, scan } from '../disk/index.ts';
import {
  type ApiName,
  decodeResponse,
  encodeRequest,
  errors,
  type RequestOf,
  type ResponseOf,
  unframed,
} from '../wire/index.ts';
import type { Broker } from './broker.ts';

const PRODUCER_WAITS_MS = 500;
const MAX_BYTES = 1 << 20;

/** Producers and consumers that speak Kafka's protocol, and the history of what they gave and saw. */
export class SimulatedClients {
  readonly history: ClientEvent[] = [];
  readonly #topic: string;
  #written = 0;

  constructor(topic: string) {
    this.#topic = topic;
  }

  /** What they were told is stored. */
  get acknowledged(): number[] {
    return this.history.flatMap((event) => (event.kind === 'acked' ? [event.id] : []));
  }

  /** Gives one record, whose value is its number. `isWritten`: whether the log has it now. */
  produce(broker: Broker, acks: '1' | 'all', isWritten: () => boolean): void {
    const id = this.#written + 1;
    const records = encodeBatch({ baseOffset: 0, epoch: -1, records: [{ value: Buffer.from(String(id)) }] });
    const topics = [{ name: this.#topic, partitions: [{ index: 0, records }] }];
    const wire = { transactionalId: null, acks: acks === 'all' ? -1 : 1, timeoutMs: PRODUCER_WAITS_MS, topics };
    const answers: ClientEvent[] = [];
    // Whoever is not written is not sent: the numbers are those of records that were.
    const note = (event: ClientEvent): void => void (this.#written < id ? answers : this.history).push(event);
    ask(broker, 'Produce', 7, wire, (answer) => {
      const partition = answer.topics[0]?.partitions[0];
      if (partition === undefined) return;
      const { baseOffset, errorCode } = partition;
      note(errorCode === errors.NONE ? { kind: 'acked', id, offset: Number(baseOffset) } : { kind: 'unknown', id });
    });
    if (!isWritten()) return;
    this.#written = id;
    this.history.push({ kind: 'sent', id, acks }, ...answers);
  }

  /** Reads all that this broker shows; false if it does not serve. */
  read(broker: Broker, kind: 'read' | 'lastRead'): boolean {
    const partition = {
      ...{ index: 0, currentLeaderEpoch: -1, fetchOffset: 0n, lastFetchedEpoch: -1, logStartOffset: -1n },
      maxBytes: MAX_BYTES,
    };
    const wire = {
      ...{ replicaId: -1, maxWaitMs: 0, minBytes: 1, maxBytes: MAX_BYTES, isolationLevel: 0 },
      ...{ replicaState: null, sessionId: 0, sessionEpoch: -1, forgotten: [], rackId: '' },
      topics: [{ name: this.#topic, partitions: [partition] }],
    };
    let isServed = false;
    ask(broker, 'Fetch', 11, wire, (answer) => {
      const found = answer.topics[0]?.partitions[0];
      if (found?.errorCode !== errors.NONE) return;
      const bytes = found.records ?? new Uint8Array();
      const ids = scan(bytes, 0).batches.flatMap(({ position, size }) =>
        idsIn(bytes.subarray(position, position + size)),
      );
      isServed = true;
      this.history.push({ kind, offset: 0, ids });
    });
    return isServed;
  }
}

/** The numbers that are the values of a batch's records. */
export function idsIn(batch: Uint8Array): number[] {
  return readRecords(batch).map(({ value }) => Number(Buffer.from(value ?? [])));
}

/** A client is beside its broker: what it sends is there at once, and so is the answer, when it comes. */
function ask<N extends ApiName>(
  broker: Broker,
  api: N,
  version: number,
  body: RequestOf<N>,
  answered: (answer: ResponseOf<N>) => void,
): void {
  const request = { api, version, correlationId: 1, clientId: 'client', body };
  const events = broker.accept({
    send: (frame) => answered(decodeResponse(request, unframed(frame))),
    close: () => {},
  });
  events.frame(unframed(encodeRequest(request)));
}
