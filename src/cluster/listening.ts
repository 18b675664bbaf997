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
    else letIn(socket, room, (link) => running.accept(link));
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

function letIn(socket: Socket, room: Room, accept: (link: Link) => LinkEvents): void {
  const { limits, sockets } = room;
  const peer = `${socket.remoteAddress}:${socket.remotePort}`;
  const splitter = new FrameSplitter(limits.frameBytes);
  let held = 0;
  let timer: NodeJS.Timeout | undefined;
  const refuse = (why: string): void => {
    if (socket.destroyed) return;
    socket.destroy();
    room.refused(`${peer}: ${why}`);
  };
  const hold = (bytes: number): void => {
    room.heldBytes += bytes - held;
    if (bytes === 0 || bytes < held) clearTimeout(timer);
    if (bytes > 0 && (held === 0 || bytes < held)) timer = setTimeout(tooSlow, limits.frameMs);
    held = bytes;
    if (room.heldBytes > limits.heldBytes) refuse(`${room.heldBytes} bytes are held of frames that are not whole`);
  };
  const tooSlow = (): void => refuse(`a frame is not whole after ${limits.frameMs / 1000} s`);
  const events = accept({
    send: (frame) => {
      socket.write(frame);
      if (socket.writableNeedDrain && unreadIn(sockets) > limits.unreadBytes) refuse('answers are not read');
    },
    close: (why) => (why === undefined ? socket.destroy() : refuse(why)),
    // Requests that wait are not read: they stay with the client.
    ready: () => socket.resume(),
  });
  let isFirst = true;
  sockets.add(socket);
  socket.setNoDelay(true);
  socket.on('data', (chunk: Buffer) => {
    try {
      const frames = splitter.push(chunk);
      hold(splitter.heldBytes);
      if (frames.length > 0) socket.pause();
      for (const frame of frames) events.frame(frame);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      refuse(`${(isFirst && whatSpeaks(chunk)) || error.message}`);
    }
    isFirst = false;
  });
  // An error is always followed by `close`.
  socket.on('error', () => {});
  socket.on('close', () => {
    sockets.delete(socket);
    hold(0);
    events.closed();
  });
}

function unreadIn(sockets: ReadonlySet<Socket>): number {
  let bytes = 0;
  for (const { writableLength } of sockets) bytes += writableLength;
  return bytes;
}
