/**
 * The door of a broker: what whoever connects may cost it, and what is said of those who are shown out. Where there is no room
 * for all, whoever takes the most of it gives way: nobody can keep the others out.
 */
import { createServer, type Server, type Socket } from 'node:net';
import { FrameSplitter, WireError } from '../wire/index.ts';
import type { Broker } from './broker.ts';
import type { Link, LinkEvents } from './host.ts';
import { whatSpeaks } from './strangers.ts';
import type { Address } from './tcp.ts';

export interface Limits {
  /** The longest frame that is taken. */
  readonly frameBytes: number;
  /** How long a frame may be under way. */
  readonly frameMs: number;
  /** Of all frames together that are not whole yet. */
  readonly heldBytes: number;
  /** Of all answers together that nobody has read yet. */
  readonly unreadBytes: number;
  readonly connections: number;
}

export const usualLimits: Limits = {
  ...{ frameBytes: 16 << 20, frameMs: 30_000, heldBytes: 64 << 20, unreadBytes: 128 << 20, connections: 500 },
};

export interface Door {
  readonly broker: () => Broker | null;
  readonly limits?: Limits;
  /** A connection was closed: whose, and why. */
  readonly refused?: (what: string) => void;
}

/** Listens; the port is one that is free if 0 is asked for. */
export async function listen({ broker, limits = usualLimits, refused }: Door, address: Address): Promise<Server> {
  const room: Room = { limits, refused: refused ?? (() => {}), visitors: new Set() };
  const server = createServer((socket) => {
    const running = broker();
    if (running === null) {
      socket.destroy();
      return;
    }
    if (room.visitors.size >= limits.connections) {
      const silent = longestSilent(room.visitors);
      silent?.showOut(`there are ${limits.connections} connections, and it has been silent for the longest time`);
    }
    new Visitor(socket, room, (link) => running.accept(link));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address.port, address.host, resolve);
  });
  return server;
}

/** What all connections share. */
interface Room {
  readonly limits: Limits;
  readonly refused: (what: string) => void;
  /** In the order in which they have last asked something. */
  readonly visitors: Set<Visitor>;
}

class Visitor {
  readonly #socket: Socket;
  readonly #room: Room;
  readonly #peer: string;
  readonly #splitter: FrameSplitter;
  readonly #events: LinkEvents;
  #hasSpoken = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(socket: Socket, room: Room, accept: (link: Link) => LinkEvents) {
    this.#socket = socket;
    this.#room = room;
    this.#peer = `${socket.remoteAddress}:${socket.remotePort}`;
    this.#splitter = new FrameSplitter(room.limits.frameBytes);
    this.#events = accept({
      send: (frame) => this.#send(frame),
      close: (why) => (why === undefined ? socket.destroy() : this.showOut(why)),
      ready: () => this.#readOn(),
    });
    room.visitors.add(this);
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    // An error is always followed by `close`.
    socket.on('error', () => {});
    socket.on('close', () => this.#gone());
  }

  /** Whether a whole frame has come, ever. */
  get hasSpoken(): boolean {
    return this.#hasSpoken;
  }

  /** Of a frame that is not whole. */
  get heldBytes(): number {
    return this.#splitter.heldBytes;
  }

  /** Of answers. */
  get unreadBytes(): number {
    return this.#socket.writableLength;
  }

  showOut(why: string): void {
    if (this.#socket.destroyed) return;
    this.#room.visitors.delete(this);
    this.#socket.destroy();
    this.#room.refused(`${this.#peer}: ${why}`);
  }

  #read(chunk: Buffer): void {
    const { limits, visitors } = this.#room;
    try {
      const frames = this.#splitter.push(chunk);
      if (frames.length > 0) this.#spoke();
      keepTo(limits.heldBytes, visitors, heldBytesOf, (all) => `${all} bytes are held of frames that are not whole`);
      this.#waitForTheRest();
      for (const frame of frames) this.#events.frame(frame);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      this.showOut((this.#hasSpoken ? null : whatSpeaks(chunk)) ?? error.message);
    }
  }

  /** Requests that wait are not read: they stay with the client. */
  #spoke(): void {
    this.#hasSpoken = true;
    this.#room.visitors.delete(this);
    this.#room.visitors.add(this);
    this.#socket.pause();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #readOn(): void {
    this.#socket.resume();
    this.#waitForTheRest();
  }

  /** Of a frame that has begun; the time begins anew with the next one, for each is followed by a pause. */
  #waitForTheRest(): void {
    const { frameMs } = this.#room.limits;
    if (this.heldBytes === 0 || this.#timer !== undefined || this.#socket.isPaused()) return;
    this.#timer = setTimeout(() => this.showOut(`a frame is not whole after ${frameMs / 1000} s`), frameMs);
  }

  #send(frame: Uint8Array): void {
    const { limits, visitors } = this.#room;
    this.#socket.write(frame);
    if (this.#socket.writableNeedDrain)
      keepTo(limits.unreadBytes, visitors, unreadBytesOf, () => 'answers are not read');
  }

  #gone(): void {
    this.#room.visitors.delete(this);
    clearTimeout(this.#timer);
    this.#events.closed();
  }
}

const heldBytesOf = (visitor: Visitor): number => visitor.heldBytes;
const unreadBytesOf = (visitor: Visitor): number => visitor.unreadBytes;

/** Whoever takes the most is shown out, until all together take no more than there is. */
function keepTo(
  limit: number,
  visitors: ReadonlySet<Visitor>,
  bytesOf: (visitor: Visitor) => number,
  why: (all: number) => string,
): void {
  for (;;) {
    let all = 0;
    let most: Visitor | null = null;
    for (const visitor of visitors) {
      all += bytesOf(visitor);
      if (most === null || bytesOf(visitor) > bytesOf(most)) most = visitor;
    }
    if (all <= limit || most === null) return;
    most.showOut(why(all));
  }
}

/** Who has never asked anything, or else has asked before all others. */
function longestSilent(visitors: ReadonlySet<Visitor>): Visitor | undefined {
  const all = [...visitors];
  return all.find(({ hasSpoken }) => !hasSpoken) ?? all[0];
}
