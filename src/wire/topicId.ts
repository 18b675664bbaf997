import { createHash } from 'node:crypto';

const ID_DIGITS = 32;

/** A topic's id, in hexadecimal digits. Kafka draws it by lot when the topic is made; here it follows from the name. */
export function topicId(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, ID_DIGITS);
}
