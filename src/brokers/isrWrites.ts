import { createServer, type Server, type Socket, connect as tcpConnect } from 'node:net';
import { z } from 'zod';
import { Reader } from './wire/bytes.ts';
import { framed, frameSplitter } from './wire/frames.ts';

/** Source: ZooDefs.OpCode. */
const SET_DATA = 5;
const PARTITION_STATE = /^\/brokers\/topics\/([^/]+)\/partitions\/\d+\/state$/;
const ANY_VERSION = -1;
/** A node is never written so often. */
const NO_VERSION = 2 ** 31 - 1;

const partitionState = z.object({ leader: z.number(), leader_epoch: z.number(), isr: z.array(z.number()) });

/** A leader's wish to change the ISR. */
export interface IsrWish {
  readonly topic: string;
  readonly leaderEpoch: number;
  readonly isr: readonly number[];
}

/**
 * The way from brokers to ZooKeeper. Before 2.7 a leader changes the ISR by a conditional write to the partition's node. Here the
 * condition, which is the node's version, becomes one that holds if the change is wanted, and one that never does if it is not;
 * all else goes through as it is.
 */
export class IsrWrites {
  /** Whether a leader may have this now. */
  isWanted: (wish: IsrWish) => boolean = () => false;
  readonly #target: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(target: number) {
    this.#target = target;
    this.#server = createServer((socket) => this.#accept(socket));
  }

  static async open(target: number): Promise<IsrWrites> {
    const writes = new IsrWrites(target);
    await new Promise<void>((resolve, reject) => {
      writes.#server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    return writes;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new TypeError('it is closed');
    return address.port;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #accept(socket: Socket): void {
    const upstream = tcpConnect(this.#target, '127.0.0.1');
    const end = (): void => {
      for (const one of [socket, upstream]) {
        one.destroy();
        this.#sockets.delete(one);
      }
    };
    for (const one of [socket, upstream]) {
      this.#sockets.add(one);
      one.setNoDelay(true).on('error', end).on('close', end);
    }
    let isFirst = true;
    socket.on(
      'data',
      frameSplitter((frame) => {
        // The first frame asks for a session, and has no header.
        upstream.write(framed(isFirst ? frame : this.#judged(frame)));
        isFirst = false;
      }),
    );
    upstream.on('data', (chunk) => socket.write(chunk));
  }

  #judged(frame: Buffer): Buffer {
    const reader = new Reader(frame);
    reader.int32();
    if (reader.int32() !== SET_DATA) return frame;
    const [, topic] = PARTITION_STATE.exec(reader.bytes()?.toString('utf8') ?? '') ?? [];
    if (topic === undefined) return frame;
    const { leader_epoch, isr } = partitionState.parse(JSON.parse(reader.bytes()?.toString('utf8') ?? ''));
    const isWanted = this.isWanted({ topic, leaderEpoch: leader_epoch, isr });
    frame.writeInt32BE(isWanted ? ANY_VERSION : NO_VERSION, reader.position);
    return frame;
  }
}
