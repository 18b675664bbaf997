import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { IsrWrites } from '../../src/brokers/isrWrites.ts';
import { Reader, Writer } from '../../src/brokers/wire/bytes.ts';
import { Connection } from '../../src/brokers/wire/connection.ts';
import { framed, frameSplitter } from '../../src/brokers/wire/frames.ts';

const STATE = '/brokers/topics/t/partitions/0/state';
const SET_DATA = 5;
const CREATE = 1;

/** A request to ZooKeeper: what to do with a node, its data, and the version that it must have. */
function request(operation: number, path: string, data: string, version: number): Buffer {
  const header = new Writer().int32(7).int32(operation);
  return header.bytes(Buffer.from(path)).bytes(Buffer.from(data)).int32(version).toBuffer();
}

const state = (leaderEpoch: number, isr: number[]): string =>
  JSON.stringify({ controller_epoch: 1, leader: 1, version: 1, leader_epoch: leaderEpoch, isr });

describe('the way to ZooKeeper', () => {
  let server: Server;
  let writes: IsrWrites;
  let broker: Connection;
  let received: Buffer[];

  beforeEach(async () => {
    received = [];
    server = createServer((socket) => {
      socket.on('error', () => {});
      socket.on(
        'data',
        frameSplitter((frame) => {
          received.push(frame);
          socket.write(framed(Buffer.from(frame.subarray(4, 8))));
        }),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    writes = await IsrWrites.open((server.address() as AddressInfo).port);
    broker = await Connection.open(writes.port);
    await broker.callRaw(Buffer.from('a session, please'));
  });
  afterEach(() => {
    broker.close();
    writes.close();
    server.close();
  });

  /** With which version it has arrived. */
  async function versionOf(sent: Buffer): Promise<number> {
    await broker.callRaw(sent);
    const reader = new Reader(received.at(-1)!);
    reader.raw(8);
    reader.bytes();
    reader.bytes();
    return reader.int32();
  }

  it('lets the wanted ISR through, whatever version the leader believes in, and no other', async () => {
    writes.isWanted = ({ topic, leaderEpoch, isr }) => topic === 't' && leaderEpoch === 3 && isr.join() === '1';
    expect(await versionOf(request(SET_DATA, STATE, state(3, [1]), 1000))).toBe(-1);
    expect(await versionOf(request(SET_DATA, STATE, state(2, [1]), 1000))).toBe(2 ** 31 - 1);
    expect(await versionOf(request(SET_DATA, STATE, state(3, [1, 2]), 1000))).toBe(2 ** 31 - 1);
  });

  it('lets nothing through unless it is told to', async () => {
    expect(await versionOf(request(SET_DATA, STATE, state(3, [1]), 0))).toBe(2 ** 31 - 1);
  });

  it('leaves all else as it is, the first frame too', async () => {
    expect(received[0]?.toString()).toBe('a session, please');
    expect(await versionOf(request(SET_DATA, '/brokers/topics/t', 'x', 4))).toBe(4);
    expect(await versionOf(request(CREATE, STATE, state(3, [1]), 4))).toBe(4);
  });
});
