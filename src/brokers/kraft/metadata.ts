import { Writer } from '../wire/bytes.ts';
import { recordBatch } from '../wire/records.ts';
import { encode, type Message } from './codec.ts';
import type { Schemas } from './schemas.ts';

/** The metadata records that a partition with its brokers needs, in the versions of metadata.version 33 (4.4). */
export const RECORD_VERSIONS = {
  FeatureLevelRecord: 0,
  RegisterBrokerRecord: 3,
  BrokerRegistrationChangeRecord: 2,
  TopicRecord: 0,
  PartitionRecord: 1,
  RemoveTopicRecord: 0,
  ConfigRecord: 0,
} as const;

export interface MetadataRecord {
  readonly type: keyof typeof RECORD_VERSIONS;
  readonly message: Message;
}

/** The controller has been elected once, and for ever. */
export const QUORUM_EPOCH = 1;

/**
 * The metadata log as one broker is shown it. Each has its own: it holds what this broker has heard of, at the time when it
 * was to hear of it. To the broker it looks like a log of the one quorum that has been compacted by a snapshot.
 */
export class MetadataLog {
  readonly #schemas: Schemas;
  readonly #batches: { readonly endOffset: number; readonly bytes: Buffer }[] = [];

  constructor(schemas: Schemas) {
    this.#schemas = schemas;
  }

  get endOffset(): number {
    return this.#batches.at(-1)?.endOffset ?? 0;
  }

  /** As one batch: a broker acts on all of them at once. Returns the offset of the last one. */
  append(records: readonly MetadataRecord[]): number {
    const baseOffset = this.endOffset;
    const values = records.map((record) => framedRecord(this.#schemas, record));
    const bytes = recordBatch({ baseOffset, leaderEpoch: QUORUM_EPOCH, values });
    this.#batches.push({ endOffset: baseOffset + records.length, bytes });
    return this.endOffset - 1;
  }

  /** All batches that reach beyond this offset. */
  from(offset: number): Buffer {
    return Buffer.concat(this.#batches.filter(({ endOffset }) => endOffset > offset).map(({ bytes }) => bytes));
  }
}

const FRAME_VERSION = 1;

/** Source: AbstractApiMessageSerde. */
export function framedRecord(schemas: Schemas, { type, message }: MetadataRecord): Buffer {
  const schema = schemas.of(type);
  const version = RECORD_VERSIONS[type];
  return new Writer()
    .uvarint(FRAME_VERSION)
    .uvarint(schema.apiKey)
    .uvarint(version)
    .raw(encode(schema, version, message))
    .toBuffer();
}
