import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrokerKind } from '../broker.ts';
import { DEBUG_LOGGERS } from '../brokerLog.ts';
import { LAG_MS, NEVER_MS, SETTINGS } from '../settings.ts';
import { JVM } from '../startBrokers.ts';

/** Names for the messages and records whose definitions are needed. */
export const MESSAGES = [
  ...['ApiVersions', 'Fetch', 'Produce', 'BrokerRegistration', 'BrokerHeartbeat', 'AlterPartition'].flatMap((api) => [
    `${api}Request`,
    `${api}Response`,
  ]),
  ...['FeatureLevelRecord', 'RegisterBrokerRecord', 'BrokerRegistrationChangeRecord'],
  ...['TopicRecord', 'PartitionRecord', 'RemoveTopicRecord', 'ConfigRecord'],
];

const INSIDE_FETCH =
  'this release truncates inside Fetch: it sends the epoch of its last record, and the reply says where logs part';

/** Brokers of 4.x, which know no controller but a KRaft quorum. */
export function kraftKind(name: string, classPath: string, loggingFile: string): BrokerKind {
  return {
    name,
    javaArgs: () => [...JVM, `-Dlog4j2.configurationFile=${loggingFile}`, '-cp', classPath, 'kafka.Kafka'],
    settings: KRAFT_SETTINGS,
    lagMs: LAG_MS,
    unsupported: {
      SendOffsetsForLeaderEpoch: INSIDE_FETCH,
      HandleOffsetsForLeaderEpoch: INSIDE_FETCH,
      HandleOffsetsForLeaderEpochResponse: INSIDE_FETCH,
    },
    alsoObservable: ['remoteLeo', 'epochStart'],
    prepare: formatStorage,
    deafWhileStarting: 'a broker of this release opens its port only after it has heard who leads',
    beginsAnew: () => true,
  };
}

/** Where brokers of this release differ in what they are told. */
const KRAFT_SETTINGS: Readonly<Record<string, string>> = {
  ...SETTINGS,
  // With no bytes to wait for, a Fetch is answered at once.
  'replica.fetch.min.bytes': '0',
  'replica.fetch.backoff.ms': '10',
  'replica.high.watermark.checkpoint.interval.ms': '10',
  // By its heartbeats a broker tells how much of the metadata it has acted upon. It waits no longer than this for an answer.
  'broker.heartbeat.interval.ms': '500',
  'broker.session.timeout.ms': NEVER_MS,
  'controller.socket.timeout.ms': NEVER_MS,
  'file.delete.delay.ms': '100',
};

/** What is written into a log folder before its first broker starts, as `kafka-storage format` does. It keeps its name. */
async function formatStorage({ number, logFolder }: { number: number; logFolder: string }): Promise<void> {
  await mkdir(logFolder, { recursive: true });
  const properties = {
    version: 1,
    'node.id': number,
    'cluster.id': CLUSTER_ID,
    // A uuid that begins with a minus sign Kafka takes for no uuid.
    'directory.id': `A${randomBytes(16).toString('base64url').slice(1)}`,
  };
  const lines = Object.entries(properties).map(([key, value]) => `${key}=${value}\n`);
  await writeFile(join(logFolder, 'meta.properties'), lines.join(''), { flag: 'wx' }).catch((error) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

const CLUSTER_ID = 'bGVhZGVyLWVwb2NoLTAwMA';

/** log4j2's: all to stdout, the time first, and what the replication does. */
export function loggingConfiguration(): string {
  const loggers = DEBUG_LOGGERS.map((name) => `<Logger name="${name}" level="debug"/>`).join('\n    ');
  return `<?xml version="1.0" encoding="UTF-8"?>
<Configuration status="WARN">
  <Appenders>
    <Console name="stdout" target="SYSTEM_OUT">
      <PatternLayout pattern="%d{HH:mm:ss.SSS} %-5p %c{1}: %m%n"/>
    </Console>
  </Appenders>
  <Loggers>
    ${loggers}
    <Root level="info"><AppenderRef ref="stdout"/></Root>
  </Loggers>
</Configuration>
`;
}
