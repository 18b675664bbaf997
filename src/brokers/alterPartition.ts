import { createServer, type Server, type Socket } from 'node:net';
import type { Election } from './controller.ts';
import type { IsrWish } from './isrWrites.ts';
import { Reader, Writer } from './wire/bytes.ts';
import { framed, frameSplitter } from './wire/frames.ts';

const API_VERSIONS = 18;
const ALTER_PARTITION = 56;
const NONE = 0;
/** Whoever is answered this tries again in a moment. Source: DefaultAlterIsrManager (2.8), DefaultAlterPartitionManager (3.9). */
const STALE_BROKER_EPOCH = 77;
/** Whoever is answered this lets it be, until the next occasion. Source: Partition.handleAlterPartitionError (3.3). */
const OPERATION_NOT_ATTEMPTED = 55;
/** Later ones name topics by ids, of which brokers here are told none. */
const LAST_VERSION = 1;
/** A leader that wants the change asks at once. One that does not is no more patient. */
const ASKED_WITHIN_MS = 10_000;

/**
 * Since 2.7 a leader asks its controller to change the ISR (KIP-497): AlterPartition, AlterIsr at first. This is the
 * controller's end, which leaders find as the broker that is said to be the controller. Unless a wish is let through, they are
 * told to try it again, or to let it be; before 3.3 they know no such answer.
 */
export class IsrRequests {
  readonly #refusal: Refusal;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #allowed: Allowed | null = null;

  private constructor(refusal: Refusal) {
    this.#refusal = refusal;
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket));
      socket.on(
        'data',
        frameSplitter((frame) => {
          socket.write(framed(this.#answer(frame)));
        }),
      );
    });
  }

  static async open(refusal: Refusal): Promise<IsrRequests> {
    const requests = new IsrRequests(refusal);
    await new Promise<void>((resolve, reject) => {
      requests.#server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    return requests;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new TypeError('it is closed');
    return address.port;
  }

  /** Lets the elected leader's next wanted request through. Null if it makes none. `version`: the one that it gets. */
  allow(election: Election, isWanted: (wish: IsrWish) => boolean, version: number): Promise<readonly number[] | null> {
    return new Promise((resolve) => {
      const done = (isr: readonly number[] | null): void => {
        clearTimeout(timer);
        this.#allowed = null;
        resolve(isr);
      };
      const timer = setTimeout(() => done(null), ASKED_WITHIN_MS);
      this.#allowed = { isWanted, election, version, done };
    });
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #answer(frame: Buffer): Buffer {
    const reader = new Reader(frame);
    const [key, version, correlationId] = [reader.int16(), reader.int16(), reader.int32()];
    const reply = new Writer().int32(correlationId);
    reader.string();
    if (key === API_VERSIONS) return apiVersions(reply, version);
    if (key !== ALTER_PARTITION) throw new RangeError(`the controller is asked what it does not know: API ${key}`);
    reader.tags();
    const wish = readAlterPartition(reader, version);
    reply.uvarint(0);
    const allowed = this.#allowed;
    if (wish === null || (this.#refusal === 'again' && allowed?.isWanted(wish) !== true))
      return writeRefusal(reply).toBuffer();
    if (allowed?.isWanted(wish) !== true)
      return writeAnswer(reply, version, wish, { error: OPERATION_NOT_ATTEMPTED, leader: -1, next: -1 }).toBuffer();
    allowed.done(wish.isr);
    const { election, version: next } = allowed;
    return writeAnswer(reply, version, wish, { error: NONE, leader: election.leader, next }).toBuffer();
  }
}

type Refusal = 'again' | 'never mind';

interface Allowed {
  readonly isWanted: (wish: IsrWish) => boolean;
  readonly election: Election;
  readonly version: number;
  readonly done: (isr: readonly number[]) => void;
}

/** There is one partition; of one of an earlier run nobody wants to hear. */
function readAlterPartition(reader: Reader, version: number): IsrWish | null {
  reader.raw(4 + 8);
  const wishes = reader.compactArray(() => {
    const topic = reader.compactString() ?? '';
    const partitions = reader.compactArray(() => {
      reader.int32();
      const leaderEpoch = reader.int32();
      const isr = reader.compactArray(() => reader.int32());
      if (version >= 1) reader.int8();
      reader.int32();
      reader.tags();
      return { topic, leaderEpoch, isr };
    });
    reader.tags();
    return partitions;
  });
  return wishes.flat().at(-1) ?? null;
}

function writeRefusal(reply: Writer): Writer {
  return reply.int32(0).int16(STALE_BROKER_EPOCH).uvarint(1).uvarint(0);
}

function writeAnswer(
  reply: Writer,
  version: number,
  wish: IsrWish,
  { error, leader, next }: { error: number; leader: number; next: number },
): Writer {
  const name = Buffer.from(wish.topic);
  reply.int32(0).int16(NONE).uvarint(2);
  reply
    .uvarint(name.length + 1)
    .raw(name)
    .uvarint(2);
  reply
    .int32(0)
    .int16(error)
    .int32(leader)
    .int32(wish.leaderEpoch)
    .uvarint(wish.isr.length + 1);
  for (const member of wish.isr) reply.int32(member);
  if (version >= 1) reply.int8(0);
  return reply.int32(next).uvarint(0).uvarint(0).uvarint(0);
}

/** Version 3 and later are flexible, but for the header of their reply. */
function apiVersions(reply: Writer, version: number): Buffer {
  const ranges = [
    [API_VERSIONS, 3],
    [ALTER_PARTITION, LAST_VERSION],
  ] as const;
  const flexible = version >= 3;
  reply.int16(NONE);
  if (flexible) reply.uvarint(ranges.length + 1);
  else reply.int32(ranges.length);
  for (const [key, last] of ranges) {
    reply.int16(key).int16(0).int16(last);
    if (flexible) reply.uvarint(0);
  }
  if (version >= 1) reply.int32(0);
  return (flexible ? reply.uvarint(0) : reply).toBuffer();
}
