import type { Election } from './controller.ts';
import { BrokerError } from './error.ts';
import type { MessageFormat } from './wire/records.ts';

/** A release whose brokers can be driven through ZooKeeper. */
interface Release {
  /** Properties of kafka/brokers/pom.xml. */
  readonly properties: Readonly<Record<string, string>>;
  /** When a follower's fetcher is begun anew, beside when it gets another leader. Source: ReplicaManager.makeFollowers. */
  readonly beginsAnew: 'leader' | 'epochSkipped' | 'epoch';
  /** With the release's own protocol. */
  readonly isr: IsrProtocol;
}

/**
 * How a leader changes the ISR: it writes it to ZooKeeper; or it asks the controller (KIP-497, 2.7), and once it has, asks again
 * and again; or it lets it be when it is told to (3.3).
 */
export type IsrProtocol = 'written' | 'askedAgain' | 'asked';

const LOG4J = { 'slf4j.binding': 'slf4j-log4j12', 'slf4j.version': '1.7.25' };
const RELOAD4J = { 'slf4j.binding': 'slf4j-reload4j', 'slf4j.version': '1.7.36' };

function release(
  scala: string,
  zooKeeper: string,
  logging: object,
  beginsAnew: Release['beginsAnew'],
  isr: IsrProtocol = 'written',
): Release {
  return { properties: { 'scala.version': scala, 'zookeeper.version': zooKeeper, ...logging }, beginsAnew, isr };
}

const RELEASES: Readonly<Record<string, Release>> = {
  '0.10.2.2': release('2.11', '3.4.9', LOG4J, 'leader'),
  '0.11.0.3': release('2.11', '3.4.10', LOG4J, 'leader'),
  '1.1.1': release('2.12', '3.4.10', LOG4J, 'leader'),
  // Not 3.4.13, with which it came: that one's client never connects on Java 17.
  '2.0.0': release('2.12', '3.4.10', LOG4J, 'leader'),
  '2.0.1': release('2.12', '3.4.10', LOG4J, 'epochSkipped'),
  '2.8.2': release('2.13', '3.5.9', RELOAD4J, 'epoch', 'askedAgain'),
  '3.9.1': release('2.13', '3.8.4', RELOAD4J, 'epoch', 'asked'),
};

export const zkReleases: readonly string[] = Object.keys(RELEASES);

export interface ZkRelease {
  readonly version: string;
  readonly properties: Readonly<Record<string, string>>;
  /** What brokers are told beside what all are. */
  readonly settings: Readonly<Record<string, string>>;
  readonly format: MessageFormat;
  readonly isr: IsrProtocol;
  /** KIP-392, in 2.4. */
  readonly consumersReadFollowers: boolean;
  readonly beginsAnew: (heard: Election | null, news: Election) => boolean;
}

/** `2.0.1`, or `1.1.1+0.10.2`: the code of one release with the inter-broker protocol and message format of another. */
export function parseZkRelease(text: string): ZkRelease {
  const [version = '', protocol, ...more] = text.split('+');
  const found = RELEASES[version];
  if (found === undefined || more.length > 0) {
    throw new BrokerError(
      'unknownRelease',
      `There are no brokers of "${text}" here. There are those of ${zkReleases.join(', ')}.`,
    );
  }
  if (protocol !== undefined && !/^\d+\.\d+(\.\d+)?$/.test(protocol)) {
    throw new BrokerError(
      'unknownRelease',
      `"${protocol}" is no inter-broker protocol. Give a release such as 0.10.2.`,
    );
  }
  const older = { 'inter.broker.protocol.version': protocol, 'log.message.format.version': protocol };
  return {
    version,
    properties: found.properties,
    settings: protocol === undefined ? {} : (older as Record<string, string>),
    format: /^0\.(9|10)\./.test(`${protocol ?? version}.`) ? 1 : 2,
    isr: protocol === undefined ? found.isr : 'written',
    consumersReadFollowers: found.isr !== 'written',
    beginsAnew: (heard, news) => {
      if (heard === null || heard.leader !== news.leader) return true;
      return found.beginsAnew === 'epochSkipped' ? news.epoch > heard.epoch + 1 : found.beginsAnew === 'epoch';
    },
  };
}
