import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { Gate } from '../../src/brokers/gate.ts';
import { Writer } from '../../src/brokers/wire/bytes.ts';
import { Connection, ConnectionLost } from '../../src/brokers/wire/connection.ts';
import { framed, frameSplitter } from '../../src/brokers/wire/frames.ts';

const FETCH = 1;
const OTHER = 2;

/** A leader that answers every request with how many it has had. */
interface Leader {
  readonly server: Server;
  readonly port: number;
  requests: number;
}

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

async function leader(): Promise<Leader> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on(
      'data',
      frameSplitter((frame) => {
        it.requests++;
        socket.write(framed(new Writer().raw(frame.subarray(4, 8)).int32(it.requests).toBuffer()));
      }),
    );
  });
  const it: Leader = { server, port: 0, requests: 0 };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({ close: () => server.close() });
  return Object.assign(it, { port: (server.address() as AddressInfo).port });
}

async function gateBefore(target: () => number | null): Promise<Gate> {
  const gate = await Gate.open({ gated: new Set([FETCH]), target });
  open.push(gate);
  return gate;
}

async function follower(gate: Gate): Promise<Connection> {
  const connection = await Connection.open(gate.port);
  open.push(connection);
  return connection;
}

const nothing = new Writer();

async function parked(gate: Gate) {
  while (gate.parked === null) await gate.changed();
  return gate.parked;
}

describe('the gate', () => {
  it('lets through what is not gated', async () => {
    const there = await leader();
    const connection = await follower(await gateBefore(() => there.port));
    expect((await connection.call(OTHER, 0, nothing)).int32()).toBe(1);
  });

  it('parks a request until it is forwarded, and its reply until it is delivered', async () => {
    const there = await leader();
    const gate = await gateBefore(() => there.port);
    let answer: number | null = null;
    const asked = (await follower(gate)).call(FETCH, 3, nothing).then((reply) => {
      answer = reply.int32();
    });
    const request = await parked(gate);
    expect(request).toMatchObject({ apiKey: FETCH, apiVersion: 3, correlationId: 1, reply: null, lost: false });
    expect(there.requests).toBe(0);

    expect((await request.forward()).readInt32BE(4)).toBe(1);
    expect({ requests: there.requests, answer }).toEqual({ requests: 1, answer: null });

    request.deliver();
    await asked;
    expect({ answer, parked: gate.parked }).toEqual({ answer: 1, parked: null });
  });

  it('loses what is under way when connections break', async () => {
    const there = await leader();
    const gate = await gateBefore(() => there.port);
    const asked = (await follower(gate)).call(FETCH, 0, nothing).catch((error: unknown) => error);
    const request = await parked(gate);
    await request.forward();
    gate.drop();
    expect(await asked).toBeInstanceOf(ConnectionLost);
    expect({ lost: request.lost, parked: gate.parked }).toEqual({ lost: true, parked: null });
    expect(() => request.deliver()).toThrow(TypeError);
  });

  it('parks the same request anew when the follower comes again', async () => {
    const there = await leader();
    const gate = await gateBefore(() => there.port);
    void (await follower(gate)).call(FETCH, 0, nothing).catch(() => {});
    const first = await parked(gate);
    gate.drop();
    void (await follower(gate)).call(FETCH, 0, nothing).catch(() => {});
    const second = await parked(gate);
    expect({ first: first.lost, second: second.lost }).toEqual({ first: true, second: false });
  });

  it('takes no connections while the leader is down, or while it refuses them', async () => {
    const there = await leader();
    let isUp = false;
    const gate = await gateBefore(() => (isUp ? there.port : null));
    const ask = async () => (await follower(gate)).call(OTHER, 0, nothing);
    await expect(ask()).rejects.toThrow(ConnectionLost);
    isUp = true;
    gate.refuse(true);
    await expect(ask()).rejects.toThrow(ConnectionLost);
    gate.refuse(false);
    expect((await ask()).int32()).toBe(1);
  });

  it('rejects a forward whose leader dies before it answers', async () => {
    const silent = createServer((socket) => socket.on('data', () => socket.destroy()));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    open.push({ close: () => silent.close() });
    const gate = await gateBefore(() => (silent.address() as AddressInfo).port);
    void (await follower(gate)).call(FETCH, 0, nothing).catch(() => {});
    await expect((await parked(gate)).forward()).rejects.toThrow('the connection broke before there was a reply');
  });
});
