import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BrokerSystem } from '../../src/brokers/brokerSystem.ts';
import { kraftSet } from '../../src/brokers/kraft/index.ts';
import { Broker } from '../../src/cluster/broker.ts';
import { usualTiming } from '../../src/cluster/host.ts';
import { Member } from '../../src/cluster/member.ts';
import { dial, identifyByContent } from '../../src/cluster/tcp.ts';
import { openStore, realFiles, storeDefaults } from '../../src/disk/index.ts';
import { type Config, profiles } from '../../src/replica/index.ts';
import { kafkaClassPath } from '../../src/systems/kafkaBuild.ts';
import type { WorldStep } from '../../src/systems/system.ts';
import { findJava } from '../../src/tlc/index.ts';

const MINUTES = 60_000;
const config: Config = {
  ...{ replicas: ['A', 'B'], firstLeader: 'A', profileOf: { A: profiles.kafka_4_4, B: profiles.kafka_4_4 } },
  ...{ minIsr: 1, lazyCheckpoint: true, resumeSameEpoch: false, oldNews: true },
};
const TOPIC = 't1';
const SEGMENT = `${TOPIC}-0/00000000000000000000.log`;
const EPOCHS = `${TOPIC}-0/leader-epoch-checkpoint`;

const fetched: WorldStep[] = [
  { action: 'SendFetch', args: ['B'] },
  { action: 'HandleFetch', args: ['A', 'B'] },
  { action: 'HandleFetchResponse', args: ['B'] },
];
/** B leads for a while, and dies with a record that A never gets; A goes on in a later epoch. */
const schedule: WorldStep[] = [
  { action: 'Write', args: ['A', '1'], id: 1 },
  ...fetched,
  ...fetched,
  { action: 'Elect', args: ['B'] },
  { action: 'BecomeLeader', args: ['B', 2] },
  { action: 'Write', args: ['B', '1'], id: 2 },
  { action: 'Crash', args: ['B'] },
  { action: 'Elect', args: ['A'] },
  { action: 'BecomeLeader', args: ['A', 3] },
  { action: 'Write', args: ['A', '1'], id: 3 },
  { action: 'Write', args: ['A', '1'], id: 4 },
];

describe.skipIf(process.env.LEADER_EPOCH_KAFKA !== '1')('a replica of ours under a leader of Kafka 4.4.0', () => {
  let folder: string;
  let system: BrokerSystem;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'leader-epoch-'));
    const java = await findJava({ minimumMajor: 17 });
    if (!java.ok) throw new Error(java.message);
    const classPath = await kafkaClassPath({ family: 'new', shape: null, version: '4.4.0' }, process.env);
    const options = await kraftSet('kafka@4.4.0', { java: java.java.path, classPath, folder });
    system = new BrokerSystem(options);
    await options.controller.start();
    await system.reset({
      ...{ replicas: ['A', 'B'], firstLeader: 'A', profileOf: { A: 'Kafka_4_4', B: 'Kafka_4_4' } },
      ...{ minIsr: 1, lazyCheckpoint: false, resumeSameEpoch: false, oldNews: false },
    });
    for (const step of schedule) {
      const outcome = await system.step(step);
      if (outcome.kind === 'refused') throw new Error(`${step.action}(${step.args.join(', ')}): ${outcome.reason}`);
    }
  }, 10 * MINUTES);
  afterAll(async () => {
    await system?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const dataOf = (broker: number) => join(folder, `broker-${broker}`, 'data');
  const portOf = (broker: number) => {
    const settings = readFileSync(join(folder, `broker-${broker}`, 'server.properties'), 'utf8');
    return Number(/^listeners=.*:(\d+)/m.exec(settings)?.[1]);
  };

  /** In the place of B, which is stopped: on these files, until it has what A has. */
  async function followed(own: string): Promise<void> {
    const opened = openStore(realFiles({ sync: true }), {
      ...{ ...storeDefaults, folder: own, topic: TOPIC, identify: identifyByContent },
    });
    if (opened.kind === 'damaged') throw new Error(opened.damage.what);
    const member = new Member(config, 'B', opened, 1, () => {});
    const timers = new Set<NodeJS.Timeout>();
    const broker = new Broker({
      ...{ config, member, topic: TOPIC, timing: { ...usualTiming, fetchWaitMs: 50 }, isDriven: false },
      nodeIdOf: (id) => (id === 'A' ? 1 : 2),
      identify: identifyByContent,
      host: {
        after: (ms, call) => {
          const timer = setTimeout(call, ms);
          timers.add(timer);
          return () => clearTimeout(timer);
        },
        connect: (_leader, events) => dial({ host: '127.0.0.1', port: portOf(1) }, events),
        alterIsr: (_proposal, done) => done(false),
        brokers: () => [],
      },
    });
    broker.hear({ epoch: 3, leader: 'A', isr: ['A'] });
    const size = readFileSync(join(dataOf(1), SEGMENT)).length;
    const has = () => readFileSync(join(own, SEGMENT)).length === size && member.replica.memory.hw === 3;
    for (let waited = 0; waited < 60_000 && !has(); waited += 20) await delay(20);
    broker.stop();
    for (const timer of timers) clearTimeout(timer);
    member.store.shutDown();
  }

  const expectTheLeadersFiles = (own: string) => {
    expect(readFileSync(join(own, SEGMENT))).toEqual(readFileSync(join(dataOf(1), SEGMENT)));
    expect(readFileSync(join(own, EPOCHS), 'utf8')).toBe(readFileSync(join(dataOf(1), EPOCHS), 'utf8'));
    expect(readFileSync(join(own, EPOCHS), 'utf8')).toBe('0\n2\n1 0\n3 1\n');
  };

  it(
    'fetches from an empty log, and has the very bytes in the end',
    async () => {
      const own = join(folder, 'empty');
      mkdirSync(own);
      await followed(own);
      expectTheLeadersFiles(own);
    },
    2 * MINUTES,
  );

  it(
    'goes on from the files that the stopped broker left, and is told where to cut them',
    async () => {
      const own = join(folder, 'left');
      cpSync(dataOf(2), own, { recursive: true });
      expect(readFileSync(join(own, EPOCHS), 'utf8')).toBe('0\n2\n1 0\n2 1\n');
      rmSync(join(own, '.lock'), { force: true });
      await followed(own);
      expectTheLeadersFiles(own);
    },
    2 * MINUTES,
  );
});
