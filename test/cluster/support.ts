import { Broker } from '../../src/cluster/broker.ts';
import { usualTiming } from '../../src/cluster/host.ts';
import { Member } from '../../src/cluster/member.ts';
import { encodeBatch, MemoryFiles, openStore, readRecords, storeDefaults } from '../../src/disk/index.ts';
import { type Config, profiles } from '../../src/replica/index.ts';
import { encodeRequest } from '../../src/wire/index.ts';

export const TOPIC = 't';

const config: Config = {
  ...{ replicas: ['A', 'B'], firstLeader: 'A', profileOf: { A: profiles.kafka_4_4, B: profiles.kafka_4_4 } },
  ...{ minIsr: 1, lazyCheckpoint: true, resumeSameEpoch: false, oldNews: true },
};

interface Leader {
  readonly broker: Broker;
  readonly member: Member;
  /** What would happen by and by, unless it is called off. */
  readonly later: Set<() => void>;
}

/** A, which leads, on files in memory. It reaches nobody, and nothing happens by time. */
export function leaderInMemory(): Leader {
  const later = new Set<() => void>();
  const identify = (batch: Uint8Array) => readRecords(batch).map((_record, i) => i);
  const opened = openStore(new MemoryFiles(), { ...storeDefaults, folder: 'data', topic: TOPIC, identify });
  if (opened.kind === 'damaged') throw new Error(opened.damage.what);
  const member = new Member(config, 'A', opened, 0, () => {});
  const broker = new Broker({
    ...{ config, member, topic: TOPIC, timing: usualTiming, isDriven: false, identify },
    nodeIdOf: (id) => (id === 'A' ? 1 : 2),
    host: {
      after: (_ms, call) => {
        later.add(call);
        return () => later.delete(call);
      },
      connect: () => null,
      alterIsr: (_proposal, done) => done(true),
      brokers: () => [],
    },
  });
  return { broker, member, later };
}

/** A request to write one record. */
export function produceFrame(value: string | Uint8Array, correlationId = 1): Buffer {
  const records = encodeBatch({ baseOffset: 0, epoch: -1, records: [{ value: Buffer.from(value) }] });
  const topics = [{ name: TOPIC, partitions: [{ index: 0, records }] }];
  const body = { transactionalId: null, acks: 1, timeoutMs: 1, topics };
  return encodeRequest({ api: 'Produce', version: 7, correlationId, clientId: 'test', body });
}

/** A fetch from the beginning, of a consumer if it is nobody else's. */
export function fetchFrame({ correlationId = 1, maxBytes = 1 << 24, maxWaitMs = 0, replicaId = -1 }): Buffer {
  const partition = {
    ...{ index: 0, currentLeaderEpoch: 1, fetchOffset: 0n, lastFetchedEpoch: -1, logStartOffset: -1n },
    maxBytes,
  };
  const body = {
    ...{ replicaId, replicaState: null, maxWaitMs, minBytes: 1, maxBytes: 1 << 24, isolationLevel: 0 },
    ...{ sessionId: 0, sessionEpoch: -1, forgotten: [], rackId: '' },
    topics: [{ name: TOPIC, partitions: [partition] }],
  };
  return encodeRequest({ api: 'Fetch', version: 11, correlationId, clientId: 'test', body });
}
