import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Broker } from '../../src/cluster/broker.ts';
import { usualTiming } from '../../src/cluster/host.ts';
import { Member } from '../../src/cluster/member.ts';
import { encodeBatch, MemoryFiles, openStore, readRecords, storeDefaults } from '../../src/disk/index.ts';
import { type Config, type Profile, profileOfAll, profiles } from '../../src/replica/index.ts';
import { type AnyRequest, decodeRequest, encodeResponse, type ResponseOf, unframed } from '../../src/wire/index.ts';

const TOPIC = 't';

/** B, which follows A on files in memory. A answers what it is told to, until it is told nothing more. */
function follow(profile: Profile, answers: readonly ((request: AnyRequest) => Uint8Array)[]) {
  const config: Config = {
    ...{ replicas: ['A', 'B'], firstLeader: 'A', profileOf: profileOfAll(profile, ['A', 'B']) },
    ...{ minIsr: 1, lazyCheckpoint: true, resumeSameEpoch: false, oldNews: true },
  };
  const identify = (batch: Uint8Array) => readRecords(batch).map((_record, i) => i);
  const opened = openStore(new MemoryFiles(), { ...storeDefaults, folder: 'data', topic: TOPIC, identify });
  if (opened.kind === 'damaged') throw new Error(opened.damage.what);
  const member = new Member(config, 'B', opened, 0, () => {});
  const later = new Set<() => void>();
  const rest = [...answers];
  const sent: (() => void)[] = [];
  const broker = new Broker({
    ...{ config, member, topic: TOPIC, timing: usualTiming, isDriven: false, identify },
    nodeIdOf: (id) => (id === 'A' ? 1 : 2),
    host: {
      after: (ms, call) => {
        if (ms === usualTiming.backoffMs) later.add(call);
        return () => later.delete(call);
      },
      connect: (_leader, events) => {
        let isOpen = true;
        return {
          send: (frame) => {
            const answer = rest.shift();
            if (answer === undefined) return;
            const request = decodeRequest(unframed(frame));
            if (request.api === null) throw new Error('It asks for what there is not');
            sent.push(() => isOpen && events.frame(unframed(answer(request))));
          },
          close: () => {
            isOpen = false;
          },
        };
      },
      alterIsr: (_proposal, done) => done(false),
      brokers: () => [],
    },
  });
  broker.wake();
  for (let next = sent.shift(); next !== undefined || later.size > 0; next = sent.shift()) {
    next?.();
    for (const call of [...later]) {
      later.delete(call);
      call();
    }
  }
  return { member, left: rest.length };
}

const int = fc.oneof(fc.constantFrom(-2147483648, -2, -1, 0, 1, 2, 3, 2147483647), fc.integer());
const long = fc.oneof(
  fc.constantFrom(-9223372036854775808n, -2n, -1n, 0n, 1n, 2n, 3n, 9223372036854775807n),
  fc.bigInt({ min: -9223372036854775808n, max: 9223372036854775807n }),
);
const batch = fc
  .record({ baseOffset: fc.nat(3), epoch: int, count: fc.integer({ min: 1, max: 3 }) })
  .map(({ count, ...where }) =>
    encodeBatch({ ...where, records: Array.from({ length: count }, () => ({ value: Buffer.of(1) })) }),
  );
const records = fc.oneof(
  fc.constant(null),
  fc.uint8Array({ maxLength: 80 }),
  fc.array(batch, { maxLength: 3 }).map((batches) => Buffer.concat(batches)),
  fc.tuple(batch, fc.nat(100), fc.nat(255)).map(([bytes, at, byte]) => {
    const changed = Buffer.from(bytes);
    changed[at % bytes.length] = byte;
    return changed;
  }),
);
const errorCode = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.constantFrom(1, 3, 6, 56, 74, 75, -1, 9999));
const fetched = fc.record({
  ...{
    index: fc.constantFrom(0, 0, 0, 1),
    errorCode,
    highWatermark: long,
    lastStableOffset: long,
    logStartOffset: long,
  },
  divergingEpoch: fc.option(fc.record({ epoch: int, endOffset: long }), { freq: 3 }),
  ...{ abortedTransactions: fc.constant(null), preferredReadReplica: int, records },
});
const epochEnd = fc.record({ index: fc.constant(0), errorCode, leaderEpoch: int, endOffset: long });
const offset = fc.record({ index: fc.constant(0), errorCode, timestamp: long, offset: long, leaderEpoch: int });

/** To whatever is asked. */
const answer = fc
  .record({ fetched, epochEnd, offset, cut: fc.nat(60), isEmpty: fc.boolean(), isCut: fc.nat(9) })
  .map(({ cut, epochEnd, fetched, isCut, isEmpty, offset }) => (request: AnyRequest): Uint8Array => {
    const topics = (partition: object) => (isEmpty && isCut < 2 ? [] : [{ name: TOPIC, partitions: [partition] }]);
    const head = { throttleTimeMs: 0, errorCode: 0, sessionId: 0 };
    const body = { Fetch: fetched, OffsetForLeaderEpoch: epochEnd, ListOffsets: offset } as Record<string, object>;
    const whole = { ...head, topics: topics(body[request.api] ?? {}) } as unknown as ResponseOf<typeof request.api>;
    const frame = encodeResponse(request, whole);
    return isCut === 0 ? frame.subarray(0, Math.max(4, frame.length - cut)) : frame;
  });

describe('a leader that answers whatever it likes', () => {
  it.each(['kafka_4_4', 'kafka_2_1', 'kafka_2_0_1', 'kafka_1_1_1', 'kafka_0_10_2'] as const)(
    'cannot break its follower, %s',
    (profile) => {
      fc.assert(
        fc.property(fc.array(answer, { minLength: 1, maxLength: 6 }), (answers) => {
          const { left, member } = follow(profiles[profile], answers);
          const { disk, memory } = member.replica;
          const epochs = disk.log.map(({ epoch }) => epoch);
          expect(memory.hw).toBeGreaterThanOrEqual(0);
          expect(memory.hw).toBeLessThanOrEqual(disk.log.length);
          expect(member.store.log.endOffset).toBe(disk.log.length);
          // It goes on asking, unless the protocol has it give up.
          const asks = memory.role !== 'halted' && memory.fetchState !== 'failed';
          expect(asks ? left : 0).toBe(0);
          expect(epochs.every((epoch) => epoch >= 0)).toBe(true);
        }),
        { numRuns: 100 },
      );
    },
  );
});
