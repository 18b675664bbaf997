/** Brokers on real sockets and real files. */
import { createHash } from 'node:crypto';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { FrameSplitter, WireError } from '../wire/index.ts';
import type { Broker } from './broker.ts';
import type { Link, LinkEvents } from './host.ts';

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** The longest frame that is taken, and what may wait to be read by a client. */
const MAX_FRAME_BYTES = 16 << 20;
const MAX_UNREAD_BYTES = 64 << 20;
const MAX_CONNECTIONS = 500;

/** Listens; the port is one that is free if 0 is asked for. */
export async function listen(broker: () => Broker | null, { host, port }: Address): Promise<Server> {
  const server = createServer((socket) => {
    const running = broker();
    if (running === null) {
      socket.destroy();
      return;
    }
    const link = linkOver(socket);
    serve(socket, running.accept(link));
  });
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}

export function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

export function dial({ host, port }: Address, events: LinkEvents): Link {
  const socket = connect({ host, port });
  socket.once('connect', () => events.opened?.());
  serve(socket, events);
  return linkOver(socket);
}

function linkOver(socket: Socket): Link {
  socket.setNoDelay(true);
  return {
    send: (frame) => {
      socket.write(frame);
      if (socket.writableLength > MAX_UNREAD_BYTES) socket.destroy();
    },
    close: () => socket.destroy(),
    get isOpen() {
      return !socket.connecting;
    },
    // Requests that wait are not read: they stay with the client.
    ready: () => socket.resume(),
  };
}

function serve(socket: Socket, events: LinkEvents): void {
  const splitter = new FrameSplitter(MAX_FRAME_BYTES);
  socket.on('data', (chunk) => {
    try {
      const frames = splitter.push(chunk as Buffer);
      if (frames.length > 0) socket.pause();
      for (const frame of frames) events.frame(frame);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      socket.destroy();
    }
  });
  // An error is always followed by `close`.
  socket.on('error', () => {});
  socket.on('close', () => events.closed());
}

/** Content names a record: its batch, where it stands in it, and where the batch stands. */
export function identifyByContent(batch: Uint8Array): number[] {
  const view = new DataView(batch.buffer, batch.byteOffset, batch.byteLength);
  const hash = createHash('sha1').update(batch.subarray(0, HEADER_BYTES)).digest();
  const first = hash.readUIntBE(0, 6);
  return Array.from({ length: view.getInt32(COUNT_AT) }, (_, i) => first + i);
}

const HEADER_BYTES = 61;
const COUNT_AT = 57;
