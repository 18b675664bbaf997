import { createHash } from 'node:crypto';
import type { Election, Topic } from '../controller.ts';
import type { Message } from './codec.ts';
import type { MetadataRecord } from './metadata.ts';
import type { Registration } from './puppetQuorum.ts';

/** What the one partition and its brokers are in metadata records. */

export const LISTENER = 'PLAINTEXT';
const PLAINTEXT_PROTOCOL = 0;
const TOPIC_RESOURCE = 2;
/** From its name, so that nobody needs to be told. */
export function topicId({ name }: Pick<Topic, 'name'>): string {
  return createHash('sha256').update(name).digest().subarray(0, 16).toString('base64url');
}

/** All brokers announce the same features: of the first one, the newest version of the metadata that it knows. */
export function featureLevel({ message }: Registration): MetadataRecord {
  const features = (message.features ?? []) as readonly Message[];
  const version = features.find(({ name }) => name === 'metadata.version')?.maxSupportedVersion ?? 0;
  return { type: 'FeatureLevelRecord', message: { name: 'metadata.version', featureLevel: version } };
}

/** `port`: where whoever reads this should take it to listen. */
export function registered(registration: Registration, port: number, fenced: boolean): MetadataRecord {
  const { broker, brokerEpoch, incarnationId, logDirs, message } = registration;
  const endPoint = { name: LISTENER, host: '127.0.0.1', port, securityProtocol: PLAINTEXT_PROTOCOL };
  const { features = [], rack = null } = message;
  return {
    type: 'RegisterBrokerRecord',
    message: { brokerId: broker, brokerEpoch, incarnationId, logDirs, features, rack, fenced, endPoints: [endPoint] },
  };
}

export function created(topic: Topic): MetadataRecord[] {
  const minIsr = { name: 'min.insync.replicas', value: String(topic.minIsr) };
  return [
    { type: 'ConfigRecord', message: { resourceType: TOPIC_RESOURCE, resourceName: topic.name, ...minIsr } },
    { type: 'TopicRecord', message: { name: topic.name, topicId: topicId(topic) } },
  ];
}

export function removed(name: string): MetadataRecord {
  return { type: 'RemoveTopicRecord', message: { topicId: topicId({ name }) } };
}

/** Whatever the partition was, this is what it is now: elections in between may have been missed. */
export function partition(
  topic: Topic,
  { leader, epoch, isr }: Election,
  partitionEpoch: number,
  directories: readonly string[],
): MetadataRecord {
  const { replicas } = topic;
  return {
    type: 'PartitionRecord',
    message: {
      ...{ partitionId: 0, topicId: topicId(topic), replicas, isr, leader },
      ...{ leaderEpoch: epoch, partitionEpoch, directories },
    },
  };
}

/** What a broker that has just started hears of its partition: that there is one, and nothing of a leader yet. */
export function noNews(topic: Topic): Election {
  return { epoch: 0, leader: -1, isr: topic.replicas };
}
