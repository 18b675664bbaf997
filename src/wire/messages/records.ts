/** Produce and Fetch: the messages that carry records. */
import {
  array,
  field,
  int8,
  int16,
  int32,
  int64,
  nullableArray,
  nullableString,
  records,
  string,
  struct,
  type Type,
  topicName,
} from '../schema.ts';
import { NONE, throttleTimeMs, UNKNOWN } from './common.ts';

export const produceRequest = struct({
  transactionalId: field(nullableString, { since: 3, missing: null }),
  acks: field(int16),
  timeoutMs: field(int32),
  topics: field(
    array(
      struct({
        name: field(string),
        partitions: field(array(struct({ index: field(int32), records: field(records) }))),
      }),
    ),
  ),
});

export const produceResponse = struct({
  topics: field(
    array(
      struct({
        name: field(string),
        partitions: field(
          array(
            struct({
              index: field(int32),
              errorCode: field(int16),
              baseOffset: field(int64),
              logAppendTimeMs: field(int64, { since: 2, missing: UNKNOWN }),
              logStartOffset: field(int64, { since: 5, missing: UNKNOWN }),
              recordErrors: field(array(struct({ index: field(int32), message: field(nullableString) })), {
                since: 8,
                missing: [],
              }),
              errorMessage: field(nullableString, { since: 8, missing: null }),
            }),
          ),
        ),
      }),
    ),
  ),
  throttleTimeMs: throttleTimeMs(1),
});

/** Fetch calls topics by their ids. */
const fetchedTopic = topicName(13);
const replicaState = struct({ replicaId: field(int32), replicaEpoch: field(int64) });

export const fetchRequest = struct({
  replicaId: field(int32, { until: 14, missing: NONE }),
  /** Which replica asks, and in which of its lives (KIP-903). */
  replicaState: field(replicaState as Type<{ replicaId: number; replicaEpoch: bigint } | null>, {
    ...{ since: 15, tag: 1, missing: null },
  }),
  maxWaitMs: field(int32),
  minBytes: field(int32),
  maxBytes: field(int32, { since: 3, missing: 0x7fffffff }),
  isolationLevel: field(int8, { since: 4, missing: 0 }),
  sessionId: field(int32, { since: 7, missing: 0 }),
  sessionEpoch: field(int32, { since: 7, missing: NONE }),
  topics: field(
    array(
      struct({
        name: field(fetchedTopic),
        partitions: field(
          array(
            struct({
              index: field(int32),
              /** KIP-320 */
              currentLeaderEpoch: field(int32, { since: 9, missing: NONE }),
              fetchOffset: field(int64),
              /** KIP-595 */
              lastFetchedEpoch: field(int32, { since: 12, missing: NONE }),
              logStartOffset: field(int64, { since: 5, missing: UNKNOWN }),
              maxBytes: field(int32),
            }),
          ),
        ),
      }),
    ),
  ),
  forgotten: field(array(struct({ name: field(fetchedTopic), partitions: field(array(int32)) })), {
    since: 7,
    missing: [],
  }),
  rackId: field(string, { since: 11, missing: '' }),
});

const epochEndOffset = struct({ epoch: field(int32), endOffset: field(int64) });

export const fetchResponse = struct({
  throttleTimeMs: throttleTimeMs(1),
  errorCode: field(int16, { since: 7, missing: 0 }),
  sessionId: field(int32, { since: 7, missing: 0 }),
  topics: field(
    array(
      struct({
        name: field(fetchedTopic),
        partitions: field(
          array(
            struct({
              index: field(int32),
              errorCode: field(int16),
              highWatermark: field(int64),
              lastStableOffset: field(int64, { since: 4, missing: UNKNOWN }),
              logStartOffset: field(int64, { since: 5, missing: UNKNOWN }),
              /** Where the logs part, for a follower that truncates inside Fetch (KIP-595). */
              divergingEpoch: field(epochEndOffset as Type<{ epoch: number; endOffset: bigint } | null>, {
                ...{ since: 12, tag: 0, missing: null },
              }),
              abortedTransactions: field(
                nullableArray(struct({ producerId: field(int64), firstOffset: field(int64) })),
                {
                  since: 4,
                  missing: null,
                },
              ),
              preferredReadReplica: field(int32, { since: 11, missing: NONE }),
              records: field(records),
            }),
          ),
        ),
      }),
    ),
  ),
});
