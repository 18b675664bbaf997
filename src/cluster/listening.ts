/** The door of a broker: what whoever connects may cost it, and what is said of those who are shown out. */
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
  const room: Room = { limits, refused: refused ?? (() => {}), heldBytes: 0, sockets: new Set() };
  const server = createServer((socket) => {
    const running = broker();
    if (running === null) socket.destroy();
    else new Visitor(socket, room, (link) => running.accept(link));
  });
  server.maxConnections = limits.connections;
  server.on('drop', (from) => {
    room.refused(`${from?.remoteAddress}:${from?.remotePort}: there are ${limits.connections} connections already`);
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
  readonly sockets: Set<Socket>;
  heldBytes: number;
}

class Visitor {
  readonly #socket: Socket;
  readonly #room: Room;
  readonly #peer: string;
  readonly #splitter: FrameSplitter;
  readonly #events: LinkEvents;
  #hasSpoken = false;
  #heldBytes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(socket: Socket, room: Room, accept: (link: Link) => LinkEvents) {
    this.#socket = socket;
    this.#room = room;
    this.#peer = `${socket.remoteAddress}:${socket.remotePort}`;
    this.#splitter = new FrameSplitter(room.limits.frameBytes);
    this.#events = accept({
      send: (frame) => this.#send(frame),
      close: (why) => (why === undefined ? socket.destroy() : this.#showOut(why)),
      ready: () => this.#readOn(),
    });
    room.sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    // An error is always followed by `close`.
    socket.on('error', () => {});
    socket.on('close', () => this.#gone());
  }

  #read(chunk: Buffer): void {
    try {
      const frames = this.#splitter.push(chunk);
      this.#hold(this.#splitter.heldBytes);
      if (frames.length > 0) this.#pause();
      for (const frame of frames) this.#events.frame(frame);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      this.#showOut((this.#hasSpoken ? null : whatSpeaks(chunk)) ?? error.message);
    }
    this.#hasSpoken = true;
  }

  /** Requests that wait are not read: they stay with the client. */
  #pause(): void {
    this.#socket.pause();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #readOn(): void {
    this.#socket.resume();
    this.#waitForTheRest();
  }

  #hold(bytes: number): void {
    const { limits } = this.#room;
    this.#room.heldBytes += bytes - this.#heldBytes;
    this.#heldBytes = bytes;
    if (this.#room.heldBytes > limits.heldBytes) {
      this.#showOut(`${this.#room.heldBytes} bytes are held of frames that are not whole`);
    }
    this.#waitForTheRest();
  }

  /** Of a frame that has begun; the time begins anew with the next one, for each is followed by a pause. */
  #waitForTheRest(): void {
    const { frameMs } = this.#room.limits;
    if (this.#heldBytes === 0 || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => this.#showOut(`a frame is not whole after ${frameMs / 1000} s`), frameMs);
  }

  #send(frame: Uint8Array): void {
    const { limits, sockets } = this.#room;
    this.#socket.write(frame);
    if (this.#socket.writableNeedDrain && unreadIn(sockets) > limits.unreadBytes) this.#showOut('answers are not read');
  }

  #showOut(why: string): void {
    if (this.#socket.destroyed) return;
    this.#socket.destroy();
    this.#room.refused(`${this.#peer}: ${why}`);
  }

  #gone(): void {
    this.#room.sockets.delete(this.#socket);
    this.#room.heldBytes -= this.#heldBytes;
    this.#heldBytes = 0;
    clearTimeout(this.#timer);
    this.#events.closed();
  }
}

function unreadIn(sockets: ReadonlySet<Socket>): number {
  let bytes = 0;
  for (const { writableLength } of sockets) bytes += writableLength;
  return bytes;
}
