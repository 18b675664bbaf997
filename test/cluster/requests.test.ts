import fc from 'fast-check';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { Broker } from '../../src/cluster/broker.ts';
import { usualTiming } from '../../src/cluster/host.ts';
import { Member } from '../../src/cluster/member.ts';
import { crc32c, encodeBatch, MemoryFiles, openStore, readRecords, storeDefaults } from '../../src/disk/index.ts';
import { type Config, profiles } from '../../src/replica/index.ts';
import {
  type ApiName,
  apis,
  decodeResponse,
  encodeRequest,
  type RequestOf,
  type ResponseOf,
  unframed,
} from '../../src/wire/index.ts';

const config: Config = {
  ...{ replicas: ['A', 'B'], firstLeader: 'A', profileOf: { A: profiles.kafka_4_4, B: profiles.kafka_4_4 } },
  ...{ minIsr: 1, lazyCheckpoint: true, resumeSameEpoch: false, oldNews: true },
};

let broker: Broker;
let member: Member;
beforeEach(() => {
  const identify = (batch: Uint8Array) => readRecords(batch).map((_record, i) => i);
  const opened = openStore(new MemoryFiles(), { ...storeDefaults, folder: 'data', topic: 't', identify });
  if (opened.kind === 'damaged') throw new Error(opened.damage.what);
  member = new Member(config, 'A', opened, 0, () => {});
  broker = new Broker({
    ...{ config, member, topic: 't', timing: usualTiming, isDriven: false, identify },
    nodeIdOf: (id) => (id === 'A' ? 1 : 2),
    host: {
      after: () => () => {},
      connect: () => null,
      alterIsr: (_proposal, done) => done(true),
      brokers: () => [],
    },
  });
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

const batch = () => encodeBatch({ baseOffset: 0, epoch: -1, records: [{ value: Buffer.from('one') }] });

/** With its CRC made right again. */
function changed(change: (bytes: Buffer) => void): Buffer {
  const bytes = batch();
  change(bytes);
  bytes.writeUInt32BE(crc32c(bytes.subarray(21)), 17);
  return bytes;
}

describe('a batch that is not what it says', () => {
  test.each([
    ['has no bytes', null, 2],
    ['is cut', batch().subarray(0, 40), 2],
    ['is followed by more', Buffer.concat([batch(), batch()]), 2],
    ['announces two billion records', changed((b) => setCount(b, 2_000_000_000)), 10],
    ['announces two records, and has one', changed((b) => setCount(b, 2)), 87],
    ['has a record that is longer than it', changed((b) => b.writeUInt8(0x7e, 61)), 87],
    ['has fewer records than offsets', changed((b) => b.writeInt32BE(7, 23)), 43],
    ['is of magic 3', changed((b) => b.writeInt8(3, 16)), 2],
  ])('is refused and leaves the log as it was: it %s', (_what, records, code) => {
    expect(produce(records)).toBe(code);
    expect(member.replica.disk.log).toEqual([]);
    expect(produce(batch())).toBe(0);
  });
});

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
        ask(api, version, body as RequestOf<typeof api>);
        expect(member.replica.disk.log).toEqual(before.log);
        expect(member.replica.memory.hw).toBeLessThanOrEqual(1);
      }),
    );
    expect(produce(batch())).toBe(0);
  });
});
