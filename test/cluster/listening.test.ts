import { connect, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it, test } from 'vitest';
import { type Limits, listen, usualLimits } from '../../src/cluster/listening.ts';
import { Complaints } from '../../src/cluster/processes/complaints.ts';
import { portOf } from '../../src/cluster/tcp.ts';
import { FrameSplitter } from '../../src/wire/index.ts';
import { fetchFrame, leaderInMemory, produceFrame } from './support.ts';

const HOST = '127.0.0.1';
const NEVER_MS = 2 ** 31 - 1;

let server: Server | undefined;
let refused: string[];
let refusedPorts: number[];
let later: ReadonlySet<() => void>;
const open = new Set<Socket>();

async function start(limits: Partial<Limits> = {}): Promise<void> {
  const leader = leaderInMemory();
  const { broker } = leader;
  later = leader.later;
  refused = [];
  refusedPorts = [];
  server = await listen(
    {
      ...{ broker: () => broker, limits: { ...usualLimits, frameMs: NEVER_MS, ...limits } },
      refused: (what) => {
        const [, port = '', why = ''] = /^.*?:(\d+): (.*)$/.exec(what) ?? [];
        refusedPorts.push(Number(port));
        refused.push(why);
      },
    },
    { host: HOST, port: 0 },
  );
}
afterEach(() => {
  for (const socket of open) socket.destroy();
  open.clear();
  server?.close();
  server = undefined;
});

/** Once it is connected, or closed at once. */
async function dialed(): Promise<Socket> {
  const socket = connect({ host: HOST, port: server ? portOf(server) : 0 });
  socket.on('error', () => {});
  open.add(socket);
  await new Promise<void>((resolve) => socket.once('connect', resolve).once('close', () => resolve()));
  return socket;
}

const closed = (socket: Socket) =>
  new Promise<void>((resolve) => (socket.closed ? resolve() : socket.resume().once('close', () => resolve())));

const connections = () => new Promise<number>((resolve) => server?.getConnections((_, count) => resolve(count)));

/** The number of the request that is answered next. */
function answered(socket: Socket): Promise<number> {
  const splitter = new FrameSplitter(1 << 24);
  return new Promise((resolve) => {
    const read = (chunk: Buffer): void => {
      const [frame] = splitter.push(chunk);
      if (frame === undefined) return;
      socket.off('data', read);
      resolve(frame.readInt32BE(0));
    };
    socket.on('data', read);
  });
}

async function expectService(): Promise<void> {
  const socket = await dialed();
  socket.write(produceFrame('still here', 7));
  expect(await answered(socket)).toBe(7);
}

const hex = (text: string) => Buffer.from(text.replaceAll(/\s/g, ''), 'hex');

describe('whoever sends what is no request', () => {
  test.each([
    ['an HTTP request', Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n'), 'this is HTTP, not Kafka'],
    [
      'a TLS hello',
      hex('1603010200010001fc0303'),
      'this is TLS, and brokers here speak in plain text (security.protocol=PLAINTEXT)',
    ],
    ['the greeting of SSH', Buffer.from('SSH-2.0-OpenSSH_9.2\r\n'), 'this is SSH, not Kafka'],
    [
      'a frame longer than any',
      hex('7fffffff00'),
      'A frame of 2147483647 bytes is announced, and 16777216 is the most: this is not Kafka',
    ],
    [
      'a negative length',
      hex('ffffffff00'),
      'A frame of -1 bytes is announced, and 16777216 is the most: this is not Kafka',
    ],
    ['an empty frame', hex('00000000'), 'this is no request: At byte 0: 2 bytes are announced, 0 are left'],
    [
      'a request that is cut within itself',
      hex('00000006 0017 0000 0001'),
      'this is no request: At byte 4: 4 bytes are announced, 2 are left',
    ],
    ['an API that there is not', hex('0000000a 03e7 0000 00000001 ffff'), 'there is no version 0 of API 999 here'],
    ['a version that there is not', hex('0000000a 0001 0063 00000001 ffff'), 'there is no version 99 of API 1 here'],
  ])('is shown out, and told apart in the log: %s', async (_what, bytes, why) => {
    await start();
    const socket = await dialed();
    socket.write(bytes);
    await closed(socket);
    expect(refused).toEqual([why]);
    await expectService();
  });
});

describe('whoever costs too much', () => {
  it('has a frame that never ends, and is shown out after a while', async () => {
    await start({ frameMs: 50 });
    const socket = await dialed();
    socket.write(produceFrame('slow').subarray(0, 20));
    await closed(socket);
    expect(refused).toEqual(['a frame is not whole after 0.05 s']);
    await expectService();
  });

  it('has half a frame behind a request that is not answered yet, which takes its time', async () => {
    await start({ frameMs: 30 });
    const socket = await dialed();
    const both = Buffer.concat([fetchFrame({ maxWaitMs: 100 }), produceFrame('next').subarray(0, 20)]);
    socket.write(both);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(refused).toEqual([]);
    for (const call of [...later]) call();
    await closed(socket);
    expect(refused).toEqual(['a frame is not whole after 0.03 s']);
  });

  it('holds, with others, more than there is room for in frames that are not whole', async () => {
    await start({ heldBytes: 100_000 });
    const half = produceFrame(Buffer.alloc(60_000)).subarray(0, 55_000);
    const first = await dialed();
    first.write(half);
    const second = await dialed();
    second.write(half);
    await Promise.race([closed(first), closed(second)]);
    expect(refused).toEqual([expect.stringMatching(/^1\d{5} bytes are held of frames that are not whole$/)]);
    await expectService();
  });

  it('gives back the room of its frame when it goes', async () => {
    await start({ heldBytes: 100_000 });
    for (let i = 0; i < 5; i++) {
      const socket = await dialed();
      await new Promise((resolve) => socket.write(produceFrame(Buffer.alloc(60_000)).subarray(0, 55_000), resolve));
      socket.destroy();
      await expect.poll(connections).toBe(0);
    }
    await expectService();
    expect(refused).toEqual([]);
  });

  it('asks and asks, and reads no answer', async () => {
    await start({ unreadBytes: 1 << 20 });
    const writer = await dialed();
    writer.write(produceFrame(Buffer.alloc(1_000_000)));
    await answered(writer);
    const reader = await dialed();
    reader.pause();
    for (let i = 0; i < 200; i++) {
      reader.write(fetchFrame({ replicaId: 2, correlationId: i }));
    }
    await expect.poll(() => refused).toEqual(['answers are not read']);
    await expectService();
  });

  it('leaves the most answers unread: others, whose answers are on their way, stay', async () => {
    await start({ unreadBytes: 16 << 20 });
    const [hog, reader] = [await dialed(), await dialed()];
    for (let i = 0; i < 8; i++) {
      reader.write(produceFrame(Buffer.alloc(1_000_000), i));
      await answered(reader);
    }
    hog.pause();
    const from = hog.localPort;
    for (let i = 0; i < 40 && refused.length === 0; i++) {
      hog.write(fetchFrame({ replicaId: 2, maxBytes: 1 }));
      reader.write(fetchFrame({ replicaId: 2, correlationId: i }));
      expect(await answered(reader)).toBe(i);
    }
    expect([refused, refusedPorts]).toEqual([['answers are not read'], [from]]);
  });

  it('holds the most of frames that are not whole: others, who hold less, stay', async () => {
    await start({ heldBytes: 100_000 });
    const hog = await dialed();
    await new Promise((resolve) => hog.write(produceFrame(Buffer.alloc(90_000)).subarray(0, 80_000), resolve));
    await expect.poll(connections).toBe(1);
    const other = await dialed();
    const whole = produceFrame(Buffer.alloc(60_000), 5);
    other.write(whole.subarray(0, 40_000));
    await closed(hog);
    other.write(whole.subarray(40_000));
    expect(await answered(other)).toBe(5);
    expect(refused).toHaveLength(1);
  });

  it('is silent, where there are too many connections: whoever asks is served', async () => {
    await start({ connections: 10 });
    const speaking = await Promise.all(Array.from({ length: 9 }, dialed));
    const ask = async (socket: Socket, number: number) => {
      socket.write(produceFrame('one of ten', number));
      expect(await answered(socket)).toBe(number);
    };
    for (const [i, socket] of speaking.entries()) await ask(socket, i);
    const silent = [await dialed(), await dialed(), await dialed()];
    await closed(silent[0]!);
    await closed(silent[1]!);
    const why = 'there are 10 connections, and it has been silent for the longest time';
    expect(refused).toEqual([why, why]);
    for (const [i, socket] of speaking.entries()) await ask(socket, 100 + i);
    await ask(silent[2]!, 200);
    await ask(await dialed(), 300);
    await closed(speaking[0]!);
    await ask(speaking[1]!, 301);
  });
});

describe('complaints', () => {
  it('come one a second at most, and the others are counted', () => {
    const said: string[] = [];
    let nowMs = 0;
    const complaints = new Complaints(
      (what) => said.push(what),
      () => nowMs,
    );
    for (nowMs of [0, 10, 999, 1_000, 1_500, 5_000, 6_000]) complaints.add(`at ${nowMs}`);
    expect(said).toEqual(['at 0', 'at 1000 (and 2 more before it)', 'at 5000 (and 1 more before it)', 'at 6000']);
  });
});
