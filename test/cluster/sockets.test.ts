import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningCluster, startCluster } from '../../src/cluster/index.ts';
import { encodeBatch, readRecords, scan } from '../../src/disk/index.ts';
import {
  type ApiName,
  decodeResponse,
  encodeRequest,
  FrameSplitter,
  type RequestOf,
  type ResponseOf,
} from '../../src/wire/index.ts';

let folder: string;
let cluster: RunningCluster;
let shownOut: string[];

const start = (changes: { readonly profile?: string; readonly minIsr?: number } = {}) =>
  startCluster({
    ...{ folder, topic: 'records', brokers: 3, host: '127.0.0.1', port: 0, unclean: false },
    ...{ profile: 'Kafka_4_4', minIsr: 1, ...changes },
    onShownOut: (id, what) => shownOut.push(`${id} ${what}`),
  });

/** A fresh one for each test. */
function withCluster(): void {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'leader-epoch-'));
    shownOut = [];
    cluster = await start();
  });
  afterEach(async () => {
    await cluster.close();
    await rm(folder, { recursive: true, force: true });
  });
}

const portOf = (id: string) => cluster.addresses.get(id)?.port ?? 0;

/** Sends bytes, and gives what comes back until the connection ends, or a whole frame has come. */
function exchange(port: number, bytes: Uint8Array): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const splitter = new FrameSplitter(1 << 20);
    socket.on('data', (chunk) => {
      const [frame] = splitter.push(chunk as Buffer);
      if (frame === undefined) return;
      socket.destroy();
      resolve(frame);
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(null));
    socket.write(bytes);
  });
}

async function ask<N extends ApiName>(
  id: string,
  api: N,
  version: number,
  body: RequestOf<N>,
): Promise<ResponseOf<N> | null> {
  const request = { api, version, correlationId: 9, clientId: 'test', body };
  const frame = await exchange(portOf(id), encodeRequest(request));
  return frame && decodeResponse(request, frame);
}

async function produce(id: string, values: readonly string[], acks = -1): Promise<number | undefined> {
  const records = encodeBatch({
    baseOffset: 0,
    epoch: -1,
    records: values.map((value) => ({ value: Buffer.from(value) })),
  });
  const topics = [{ name: 'records', partitions: [{ index: 0, records }] }];
  const answer = await ask(id, 'Produce', 7, { transactionalId: null, acks, timeoutMs: 20_000, topics });
  return answer?.topics[0]?.partitions[0]?.errorCode;
}

async function consume(id: string, offset: number, currentLeaderEpoch = -1) {
  const partition = {
    index: 0,
    currentLeaderEpoch,
    fetchOffset: BigInt(offset),
    lastFetchedEpoch: -1,
    logStartOffset: -1n,
  };
  const answer = await ask(id, 'Fetch', 11, {
    ...{
      replicaId: -1,
      replicaState: null,
      maxWaitMs: 100,
      minBytes: 1,
      maxBytes: 1 << 20,
      isolationLevel: 0,
      sessionId: 0,
      sessionEpoch: -1,
    },
    ...{ forgotten: [], rackId: '', topics: [{ name: 'records', partitions: [{ ...partition, maxBytes: 1 << 20 }] }] },
  });
  const found = answer?.topics[0]?.partitions[0];
  const bytes = found?.records ?? new Uint8Array();
  const values = scan(bytes, offset).batches.flatMap(({ position, size }) =>
    readRecords(bytes.subarray(position, position + size)).map(({ value }) => Buffer.from(value ?? []).toString()),
  );
  return { errorCode: found?.errorCode, values };
}

const metadata = (id: string) =>
  ask(id, 'Metadata', 7, {
    ...{ topics: null, allowAutoTopicCreation: false },
    ...{ includeClusterAuthorizedOperations: false, includeTopicAuthorizedOperations: false },
  });

async function leader(): Promise<string> {
  for (;;) {
    for (const id of ['1', '2', '3']) {
      const found = (await metadata(id))?.topics[0]?.partitions[0];
      if (found && String(found.leaderId) === id) return id;
    }
  }
}

describe('a cluster on sockets', () => {
  withCluster();

  it('keeps what it acknowledged when the leader dies, comes back, and all start anew', async () => {
    expect(await produce('1', ['one', 'two'])).toBe(0);
    await cluster.kill('1');
    const next = await leader();
    expect(next).not.toBe('1');
    expect(await produce(next, ['three'])).toBe(0);
    await cluster.start('1');
    expect(await consume(next, 0)).toEqual({ errorCode: 0, values: ['one', 'two', 'three'] });
    await cluster.close();
    cluster = await start();
    expect(await consume(await leader(), 0)).toMatchObject({ values: expect.arrayContaining(['one', 'two', 'three']) });
  });

  it('says at each broker who is in sync', async () => {
    await cluster.kill('1');
    const next = await leader();
    const follower = next === '2' ? '3' : '2';
    const isrAt = async (id: string) => (await metadata(id))?.topics[0]?.partitions[0]?.isr;
    await expect.poll(() => isrAt(follower), { timeout: 20_000 }).toEqual([2, 3]);
    await cluster.start('1');
    await expect.poll(() => isrAt(follower), { timeout: 20_000 }).toEqual([1, 2, 3]);
  }, 60_000);

  it('answers with the codes that Kafka answers with', async () => {
    expect(await produce('2', ['no'])).toBe(6);
    expect(await consume('2', 0)).toMatchObject({ errorCode: 6 });
    expect(await produce('1', ['one'], 7)).toBe(21);
    expect(await produce('1', ['one'])).toBe(0);
    expect(await consume('1', 99)).toMatchObject({ errorCode: 1 });
    expect(await consume('1', 0, 0)).toMatchObject({ errorCode: 74 });
    expect(await consume('1', 0, 9)).toMatchObject({ errorCode: 75 });
  });

  it('does not take a batch that is damaged', async () => {
    const records = encodeBatch({ baseOffset: 0, epoch: -1, records: [{ value: Buffer.from('x') }] });
    records[records.length - 2] = 1;
    const topics = [{ name: 'records', partitions: [{ index: 0, records }] }];
    const answer = await ask('1', 'Produce', 7, { transactionalId: null, acks: 1, timeoutMs: 1000, topics });
    expect(answer?.topics[0]?.partitions[0]?.errorCode).toBe(2);
  });

  it('has its folder for itself, until it ends', async () => {
    await expect(start()).rejects.toThrow(`${folder} is in use by process ${process.pid}. End that cluster, or take`);
    expect(await produce('1', ['still here'])).toBe(0);
    await cluster.close();
    await writeFile(join(folder, '.lock'), String(2 ** 31 - 1));
    cluster = await start();
  });

  it('shows out whoever does not speak Kafka, says who and why, and goes on', async () => {
    expect(await exchange(portOf('1'), Buffer.from('GET / HTTP/1.1\r\n\r\n'))).toBeNull();
    expect(await produce('1', ['still here'])).toBe(0);
    await expect.poll(() => shownOut).toEqual([expect.stringMatching(/^1 127\.0\.0\.1:\d+: this is HTTP, not Kafka$/)]);
  });
});
