import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { kafkaClassPath } from '../systems/kafkaBuild.ts';
import type { System } from '../systems/system.ts';
import { findJava } from '../tlc/index.ts';
import { BrokerSystem } from './brokerSystem.ts';
import { BrokerError } from './error.ts';
import { workFolder } from './process.ts';
import { parseZkRelease } from './releases.ts';
import { ZkClient } from './zkClient.ts';
import { ZkController } from './zkController.ts';
import { zkDialect } from './zkDialect.ts';

const MINIMUM_JAVA = 17;
const LOG4J = fileURLToPath(new URL('../../kafka/brokers/resources/log4j.properties', import.meta.url));
/** Small and quick to start: a broker here needs some 100 MB, and lives for seconds. */
const JVM = [
  '-Xmx256m',
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  '-Xshare:auto',
  // A file of its own for each JVM, which one that is killed leaves behind.
  '-XX:-UsePerfData',
  `-Dlog4j.configuration=file:${LOG4J}`,
];

/** For ever, as far as a run of minutes is concerned. */
const NEVER_MS = '3600000';

/** What every broker is told. No thread of theirs does anything that no step has led to. */
const SETTINGS = {
  // One that takes a request after the other, so that a question is answered after all that was asked before.
  'num.io.threads': '1',
  'num.network.threads': '1',
  'background.threads': '2',
  'num.replica.fetchers': '1',
  // A leader answers a Fetch at once. One that waited would read again, and carry a later high watermark.
  'replica.fetch.wait.max.ms': '0',
  'replica.fetch.backoff.ms': '20',
  // A fetcher waits for as long as its message stands at the gate.
  'replica.socket.timeout.ms': NEVER_MS,
  'request.timeout.ms': NEVER_MS,
  'replica.lag.time.max.ms': NEVER_MS,
  'replica.high.watermark.checkpoint.interval.ms': '20',
  // Every Fetch and its reply hold all that they speak of: no sessions (1.1 and later).
  'max.incremental.fetch.session.cache.slots': '0',
  'connections.max.idle.ms': NEVER_MS,
  'unclean.leader.election.enable': 'false',
  'controlled.shutdown.enable': 'false',
  'auto.leader.rebalance.enable': 'false',
  'auto.create.topics.enable': 'false',
  'log.cleaner.enable': 'false',
  'log.retention.ms': '-1',
  'log.index.size.max.bytes': '4096',
  'offsets.topic.num.partitions': '1',
  'offsets.topic.replication.factor': '1',
};

/** Real brokers of a release, 0.10.2.2 to 3.9.1, with a ZooKeeper. Throws if this machine cannot run them. */
export async function zkBrokers(text: string, env: NodeJS.ProcessEnv): Promise<System> {
  const release = parseZkRelease(text);
  const java = await findJava({ env, minimumMajor: MINIMUM_JAVA });
  if (!java.ok) {
    const what = java.problem === 'tooOld' ? 'This Java is too old' : 'Java was not found, or does not run';
    throw new BrokerError('noJava', `${what}. Install Java ${MINIMUM_JAVA} or later (PATH or JAVA_HOME).`);
  }
  const { version, properties, settings, format, isAsked, beginsAnew } = release;
  const classPath = await kafkaClassPath({ family: 'brokers', shape: null, version, properties, compiles: false }, env);
  const javaArgs = [...JVM, '-cp', classPath];
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closing ??= system.close().finally(() => folder.remove());
    return closing;
  };
  const folder = await workFolder(() => void close());
  const controller = new ZkController({
    java: java.java.path,
    javaArgs,
    folder: join(folder.path, 'zookeeper'),
    isAsked,
  });
  const system = new BrokerSystem({
    kind: {
      name: `kafka@${text}`,
      javaArgs: () => [...javaArgs, 'kafka.Kafka'],
      settings: { ...SETTINGS, ...settings },
      unsupported: {
        CheckpointHighWatermark: 'brokers write their high watermark to disk by a timer of their own',
        ShrinkIsr: 'a leader takes a follower out of the ISR by a timer of its own',
      },
      beginsAnew,
      epochFileLags: release.epochFileLags,
    },
    java: java.java.path,
    folder: folder.path,
    controller,
    client: new ZkClient(format, release.consumersReadFollowers),
    dialect: zkDialect,
  });
  try {
    await controller.start();
    // Closing breaks what is under way in many ways; what matters is that it has been closed.
    const unlessClosed = async <T>(use: Promise<T>): Promise<T> => {
      try {
        return await use;
      } catch (error) {
        throw closing === null ? error : new BrokerError('closed', `${system.name} has been closed.`);
      }
    };
    return {
      name: system.name,
      observable: system.observable,
      unsupported: system.unsupported,
      reset: (config) => unlessClosed(system.reset(config)),
      step: (step) => unlessClosed(system.step(step)),
      observe: () => unlessClosed(system.observe()),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
