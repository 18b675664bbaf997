import fc from 'fast-check';
import { beforeEach, describe, expect, it, test } from 'vitest';
import type { Broker } from '../../src/cluster/broker.ts';
import type { Member } from '../../src/cluster/member.ts';
import { crc32c, encodeBatch } from '../../src/disk/index.ts';
import {
  type ApiName,
  apis,
  decodeResponse,
  encodeRequest,
  type RequestOf,
  type ResponseOf,
  topicId,
  unframed,
} from '../../src/wire/index.ts';
import { fetchFrame, leaderInMemory } from './support.ts';

let leader: ReturnType<typeof leaderInMemory>;
let broker: Broker;
let member: Member;
beforeEach(() => {
  leader = leaderInMemory();
  ({ broker, member } = leader);
});

/** Null: it is not answered (yet). */
function ask<N extends ApiName>(api: N, version: number, body: RequestOf<N>): ResponseOf<N> | null {
  const request = { api, version, correlationId: 1, clientId: 'test', body };
  let answer: ResponseOf<N> | null = null;
  const events = broker.accept({
    send: (frame) => {
      answer = decodeResponse(request, unframed(frame));
    },
    close: () => {},
  });
  events.frame(unframed(encodeRequest(request)));
  return answer;
}

function produce(records: Uint8Array | null, acks = 1): number | undefined {
  const topics = [{ name: 't', partitions: [{ index: 0, records }] }];
  return ask('Produce', 7, { transactionalId: null, acks, timeoutMs: 1, topics })?.topics[0]?.partitions[0]?.errorCode;
}

const NOTHING = { baseOffset: 0, epoch: -1 };
const batch = () => encodeBatch({ ...NOTHING, records: [{ value: Buffer.from('one') }] });

/** With its CRC made right again. */
function changed(change: (bytes: Buffer) => void): Buffer {
  const bytes = batch();
  change(bytes);
  bytes.writeUInt32BE(crc32c(bytes.subarray(21)), 17);
  return bytes;
}

describe('a hundred thousand requests that wait for one', () => {
  it('are answered in their order, however long the way is', () => {
    const answers: number[] = [];
    const later = leader.later;
    const before = new Set(later);
    const events = broker.accept({ send: (frame) => answers.push(Buffer.from(frame).readInt32BE(4)), close: () => {} });
    events.frame(unframed(fetchFrame({ correlationId: 0, maxWaitMs: 100 })));
    const asked = { api: 'ApiVersions', version: 0, clientId: null } as const;
    const nobody = { clientSoftwareName: '', clientSoftwareVersion: '' };
    for (let i = 1; i <= 100_000; i++) {
      events.frame(unframed(encodeRequest({ ...asked, correlationId: i, body: nobody })));
    }
    expect(answers).toEqual([]);
    for (const call of [...later]) if (!before.has(call)) call();
    expect(answers).toEqual(Array.from({ length: 100_001 }, (_, i) => i));
  });
});

describe('who wants no answer (acks=0)', () => {
  const write = (acks: number, name: string) => {
    const said: (string | undefined)[] = [];
    const events = broker.accept({ send: () => said.push('an answer'), close: (why) => said.push(why) });
    const topics = [{ name, partitions: [{ index: 0, records: batch() }] }];
    const body = { transactionalId: null, acks, timeoutMs: 1, topics };
    events.frame(unframed(encodeRequest({ api: 'Produce', version: 7, correlationId: 1, clientId: null, body })));
    return said;
  };

  it('gets none, and learns by the end of the connection that it has not been written', () => {
    expect([write(0, 't'), member.replica.disk.log.length]).toEqual([[], 1]);
    const why = 'what it wrote is refused (error 6), and it wants no answer (acks=0)';
    broker.hear({ epoch: 2, leader: 'B', isr: ['A', 'B'] });
    expect([write(0, 't'), member.replica.disk.log.length]).toEqual([[why], 1]);
  });
});

describe('Metadata', () => {
  const named = (version: number, topics: readonly { name: string }[] | null) => {
    const operations = { includeClusterAuthorizedOperations: false, includeTopicAuthorizedOperations: false };
    const answer = ask('Metadata', version, { topics, allowAutoTopicCreation: false, ...operations });
    return answer?.topics.map(({ errorCode, name }) => `${name} ${errorCode}`);
  };

  it('is about all topics, none, or those that are named, each once', () => {
    expect(named(0, [])).toEqual(['t 0']);
    expect(named(1, [])).toEqual([]);
    expect(named(1, null)).toEqual(['t 0']);
    expect(named(9, [{ name: 'u' }, { name: 't' }, { name: 'u' }])).toEqual(['u 3', 't 0']);
  });
});

describe('ListOffsets', () => {
  const find = (timestamp: bigint, version = 5, replicaId = -1) => {
    const topics = [{ name: 't', partitions: [{ index: 0, currentLeaderEpoch: -1, timestamp }] }];
    const found = ask('ListOffsets', version, { replicaId, isolationLevel: 0, topics })?.topics[0]?.partitions[0];
    return found && [found.errorCode, Number(found.offset), Number(found.timestamp), found.leaderEpoch];
  };
  const at = (...times: bigint[]) =>
    encodeBatch({ ...NOTHING, records: times.map((timestamp) => ({ timestamp, value: Buffer.from('x') })) });

  it('finds the first record that is not older than a time, within its batch', () => {
    expect(member.tryStep({ action: 'ShrinkIsr', args: ['A', 'B'] })).toBeNull();
    for (const records of [at(10n, 20n), at(15n, 40n, 30n)]) expect(produce(records)).toBe(0);
    expect([find(5n), find(11n), find(20n)]).toEqual([
      [0, 0, 10, 1],
      [0, 1, 20, 1],
      [0, 1, 20, 1],
    ]);
    expect([find(21n), find(41n), find(-1n), find(-2n)]).toEqual([
      [0, 3, 40, 1],
      [0, -1, -1, -1],
      [0, 5, -1, 1],
      [0, 0, -1, 1],
    ]);
  });

  it('tells no client of an end that lies before what the last leader may have shown (KIP-207)', () => {
    expect(produce(at(10n))).toBe(0);
    expect([find(-1n), find(5n)]).toEqual([
      [0, 0, -1, 1],
      [0, -1, -1, -1],
    ]);
    broker.hear({ epoch: 2, leader: 'A', isr: ['A', 'B'] });
    expect([find(-1n), find(5n), find(-1n, 4)].map((found) => found?.[0])).toEqual([78, 78, 5]);
    expect([find(-2n), find(-1n, 5, 2)]).toEqual([
      [0, 0, -1, 1],
      [0, 1, -1, 2],
    ]);
  });
});

describe('a consumer', () => {
  const fetch = (clientId: string, changes: { minBytes?: number; maxWaitMs?: number }) => {
    const partition = { index: 0, currentLeaderEpoch: -1, fetchOffset: 0n, lastFetchedEpoch: -1, logStartOffset: -1n };
    const body = {
      ...{ replicaId: -1, replicaState: null, maxWaitMs: 0, minBytes: 1, maxBytes: 1 << 20, isolationLevel: 0 },
      ...{ sessionId: 0, sessionEpoch: -1, forgotten: [], rackId: '', ...changes },
      topics: [{ name: 't', partitions: [{ ...partition, maxBytes: 1 << 20 }] }],
    };
    const sizes: number[] = [];
    const request = { api: 'Fetch', version: 11, correlationId: 1, clientId, body } as const;
    const events = broker.accept({
      send: (frame) => {
        const found = decodeResponse(request, unframed(frame)).topics[0]?.partitions[0];
        sizes.push(found?.records?.length ?? -1);
      },
      close: () => {},
    });
    events.frame(unframed(encodeRequest(request)));
    return sizes;
  };

  it('is shown nothing above the high watermark, whatever it calls itself', () => {
    expect(produce(batch())).toBe(0);
    expect(member.replica.memory.hw).toBe(0);
    expect([fetch('me', {}), fetch('broker-2-fetcher-0', {})]).toEqual([[0], [0]]);
  });

  it('waits until there is as much as it asks for (fetch.min.bytes), and for nothing if that is nothing', () => {
    expect(member.tryStep({ action: 'ShrinkIsr', args: ['A', 'B'] })).toBeNull();
    expect(fetch('me', { maxWaitMs: 100, minBytes: 0 })).toEqual([0]);
    const sizes = fetch('me', { maxWaitMs: 100, minBytes: batch().length + 1 });
    expect([produce(batch()), sizes]).toEqual([0, []]);
    expect([produce(batch()), sizes]).toEqual([0, [2 * batch().length]]);
  });
});

describe('a request that names a partition twice', () => {
  const partition = {
    ...{ index: 0, currentLeaderEpoch: 1, fetchOffset: 0n, lastFetchedEpoch: -1, logStartOffset: -1n },
    ...{ timestamp: -1n, leaderEpoch: 1, maxBytes: 1 << 24, records: batch() },
  };
  const usual = {
    ...{ replicaId: -1, replicaState: null, maxWaitMs: 0, minBytes: 1, maxBytes: 1 << 24, isolationLevel: 0 },
    ...{ sessionId: 0, sessionEpoch: -1, forgotten: [], rackId: '', transactionalId: null, acks: 1, timeoutMs: 1 },
  };
  const apart = [1, 1].map(() => ({ name: 't', partitions: [partition] }));

  test.each(['Produce', 'Fetch', 'ListOffsets', 'OffsetForLeaderEpoch'] as const)(
    'is not dealt with, for its answer could be as long as anybody likes: %s',
    (api) => {
      for (const topics of [apart, [{ name: 't', partitions: [partition, partition] }]]) {
        const said: (string | undefined)[] = [];
        const events = broker.accept({ send: () => said.push('an answer'), close: (why) => said.push(why) });
        const body = { ...usual, topics } as unknown as RequestOf<typeof api>;
        const request = { api, version: 4, correlationId: 1, clientId: null, body };
        events.frame(unframed(encodeRequest(request)));
        expect(said).toEqual(['it names a partition twice']);
      }
      expect(member.replica.disk.log).toEqual([]);
    },
  );
});

describe('a batch that is not what it says', () => {
  test.each([
    ['has no bytes', null, 2],
    ['is cut', batch().subarray(0, 40), 2],
    ['is followed by more', Buffer.concat([batch(), batch()]), 87],
    ['announces two billion records', changed((b) => setCount(b, 2_000_000_000)), 87],
    ['announces two billion records, compressed', changed((b) => compressedOf(b, 2_000_000_000)), 10],
    ['announces two records, and has one', changed((b) => setCount(b, 2)), 87],
    ['has a record that is longer than it', changed((b) => b.writeUInt8(0x7e, 61)), 87],
    ['has fewer records than offsets', changed((b) => b.writeInt32BE(7, 23)), 87],
    ['is of magic 3', changed((b) => b.writeInt8(3, 16)), 2],
    ['is of a transaction', changed((b) => b.writeInt8(0x10, 22)), 87],
    ["is a coordinator's marker", changed((b) => b.writeInt8(0x20, 22)), 87],
    ['is longer than message.max.bytes', encodeBatch({ ...NOTHING, records: [{ value: Buffer.alloc(1 << 20) }] }), 10],
  ])('is refused and leaves the log as it was: it %s', (_what, records, code) => {
    expect(produce(records)).toBe(code);
    expect(member.replica.disk.log).toEqual([]);
    expect(produce(batch())).toBe(0);
  });
});

function compressedOf(bytes: Buffer, count: number): void {
  setCount(bytes, count);
  bytes.writeInt8(1, 22);
}

function setCount(bytes: Buffer, count: number): void {
  bytes.writeInt32BE(count - 1, 23);
  bytes.writeInt32BE(count, 57);
}

describe('whatever numbers a client sends', () => {
  const int = fc.oneof(fc.constantFrom(-2147483648, -2, -1, 0, 1, 2, 2147483647), fc.integer());
  const long = fc.oneof(
    fc.constantFrom(-9223372036854775808n, -2n, -1n, 0n, 1n, 2n, 9223372036854775807n),
    fc.bigInt({ min: -9223372036854775808n, max: 9223372036854775807n }),
  );
  const name = fc.constantFrom('t', 'u', '');
  const versionOf = (api: ApiName) => fc.integer({ min: apis[api].min, max: apis[api].max });
  const topicsOf = <T extends object>(partition: fc.Arbitrary<T>) =>
    fc.array(fc.record({ name, partitions: fc.array(partition, { maxLength: 3 }) }), { maxLength: 3 });
  const index = fc.constantFrom(-1, 0, 1);

  const fetch = fc.record({
    replicaState: fc.option(fc.record({ replicaId: fc.constantFrom(-1, 1, 2, 3), replicaEpoch: long })),
    ...{ replicaId: fc.constantFrom(-2, -1, 0, 1, 2, 3), maxWaitMs: int, minBytes: int, maxBytes: int },
    ...{ isolationLevel: fc.constantFrom(0, 1, 7), sessionId: int, sessionEpoch: int, rackId: name },
    forgotten: fc.constant([]),
    topics: topicsOf(
      fc.record({
        ...{ index, fetchOffset: long, maxBytes: int, currentLeaderEpoch: int, lastFetchedEpoch: int },
        logStartOffset: long,
      }),
    ),
  });
  const listOffsets = fc.record({
    ...{ replicaId: int, isolationLevel: fc.constantFrom(0, 1) },
    topics: topicsOf(fc.record({ index, currentLeaderEpoch: int, timestamp: long })),
  });
  const epochs = fc.record({
    replicaId: fc.constantFrom(-1, 1, 2, 9),
    topics: topicsOf(fc.record({ index, currentLeaderEpoch: int, leaderEpoch: int })),
  });

  it('the broker answers, or waits, and goes on', () => {
    const one = fc.oneof(
      fc.tuple(fc.constant('Fetch' as const), versionOf('Fetch'), fetch),
      fc.tuple(fc.constant('ListOffsets' as const), versionOf('ListOffsets'), listOffsets),
      fc.tuple(fc.constant('OffsetForLeaderEpoch' as const), versionOf('OffsetForLeaderEpoch'), epochs),
    );
    expect(produce(batch())).toBe(0);
    const before = member.replica.disk;
    fc.assert(
      fc.property(one, ([api, version, body]) => {
        const calls = (called: string) => (api === 'Fetch' && version >= 13 ? topicId(called) : called);
        const topics = body.topics.map((topic) => ({ ...topic, name: calls(topic.name) }));
        ask(api, version, { ...body, topics } as RequestOf<typeof api>);
        expect(member.replica.disk.log).toEqual(before.log);
        expect(member.replica.memory.hw).toBeLessThanOrEqual(1);
      }),
    );
    expect(produce(batch())).toBe(0);
  });
});

describe('a batch of ten thousand records', () => {
  it('is written a few times without the log being copied for each of them', () => {
    const records = encodeBatch({
      ...NOTHING,
      records: Array.from({ length: 10_000 }, () => ({ value: Buffer.of(1) })),
    });
    for (let i = 0; i < 10; i++) expect(produce(records)).toBe(0);
    expect(member.replica.disk.log).toHaveLength(100_000);
  });
});
