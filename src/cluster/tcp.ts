/** What a broker has around it on real sockets: connections to others, and names for records that clients give. */
import { createHash } from 'node:crypto';
import { connect, type Server } from 'node:net';
import { FrameSplitter, WireError } from '../wire/index.ts';
import type { Link, LinkEvents } from './host.ts';
import { usualLimits } from './listening.ts';

export interface Address {
  readonly host: string;
  readonly port: number;
}

export function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

export function dial({ host, port }: Address, events: LinkEvents): Link {
  const socket = connect({ host, port });
  const splitter = new FrameSplitter(usualLimits.frameBytes);
  socket.setNoDelay(true);
  socket.once('connect', () => events.opened?.());
  socket.on('data', (chunk: Buffer) => {
    try {
      for (const frame of splitter.push(chunk)) events.frame(frame);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      socket.destroy();
    }
  });
  // An error is always followed by `close`.
  socket.on('error', () => {});
  socket.on('close', () => events.closed());
  return {
    send: (frame) => void socket.write(frame),
    close: () => socket.destroy(),
    get isOpen() {
      return !socket.connecting;
    },
  };
}

/** Content names a record: its batch, where it stands in it, and where the batch stands. */
export function identifyByContent(batch: Uint8Array): number[] {
  const view = new DataView(batch.buffer, batch.byteOffset, batch.byteLength);
  const hash = createHash('sha1').update(batch.subarray(0, HEADER_BYTES)).digest();
  const first = hash.readUIntBE(0, 6);
  // A message of before 0.11 is one record.
  const count = view.getInt8(MAGIC_AT) < 2 ? 1 : view.getInt32(COUNT_AT);
  return Array.from({ length: count }, (_, i) => first + i);
}

const HEADER_BYTES = 61;
const MAGIC_AT = 16;
const COUNT_AT = 57;
