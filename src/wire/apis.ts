/**
 * The requests that a broker of ours takes, and their responses, version by version: one table. What later versions than
 * these have is left out: topic ids (Fetch 13, Metadata 10), leaders' endpoints.
 *
 * Source: clients/src/main/resources/common/message/*.json.
 */
import {
  array,
  bool,
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
} from './schema.ts';

const NONE = -1;
const UNKNOWN = -1n;
/** "Not asked for", among authorized operations. */
const NO_OPERATIONS = -2147483648;

const throttleTimeMs = (since: number) => field(int32, { since, missing: 0 });

const produceRequest = struct({
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

const produceResponse = struct({
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

const fetchRequest = struct({
  replicaId: field(int32),
  maxWaitMs: field(int32),
  minBytes: field(int32),
  maxBytes: field(int32, { since: 3, missing: 0x7fffffff }),
  isolationLevel: field(int8, { since: 4, missing: 0 }),
  sessionId: field(int32, { since: 7, missing: 0 }),
  sessionEpoch: field(int32, { since: 7, missing: NONE }),
  topics: field(
    array(
      struct({
        name: field(string),
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
  forgotten: field(array(struct({ name: field(string), partitions: field(array(int32)) })), { since: 7, missing: [] }),
  rackId: field(string, { since: 11, missing: '' }),
});

const epochEndOffset = struct({ epoch: field(int32), endOffset: field(int64) });

const fetchResponse = struct({
  throttleTimeMs: throttleTimeMs(1),
  errorCode: field(int16, { since: 7, missing: 0 }),
  sessionId: field(int32, { since: 7, missing: 0 }),
  topics: field(
    array(
      struct({
        name: field(string),
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

const listOffsetsRequest = struct({
  replicaId: field(int32),
  isolationLevel: field(int8, { since: 2, missing: 0 }),
  topics: field(
    array(
      struct({
        name: field(string),
        partitions: field(
          array(
            struct({
              index: field(int32),
              currentLeaderEpoch: field(int32, { since: 4, missing: NONE }),
              timestamp: field(int64),
            }),
          ),
        ),
      }),
    ),
  ),
});

const listOffsetsResponse = struct({
  throttleTimeMs: throttleTimeMs(2),
  topics: field(
    array(
      struct({
        name: field(string),
        partitions: field(
          array(
            struct({
              index: field(int32),
              errorCode: field(int16),
              timestamp: field(int64),
              offset: field(int64),
              leaderEpoch: field(int32, { since: 4, missing: NONE }),
            }),
          ),
        ),
      }),
    ),
  ),
});

const metadataRequest = struct({
  /** Null for all; in version 0 an empty array says that. */
  topics: field(nullableArray(struct({ name: field(string) }))),
  allowAutoTopicCreation: field(bool, { since: 4, missing: true }),
  includeClusterAuthorizedOperations: field(bool, { since: 8, missing: false }),
  includeTopicAuthorizedOperations: field(bool, { since: 8, missing: false }),
});

const metadataResponse = struct({
  throttleTimeMs: throttleTimeMs(3),
  brokers: field(
    array(
      struct({
        nodeId: field(int32),
        host: field(string),
        port: field(int32),
        rack: field(nullableString, { since: 1, missing: null }),
      }),
    ),
  ),
  clusterId: field(nullableString, { since: 2, missing: null }),
  controllerId: field(int32, { since: 1, missing: NONE }),
  topics: field(
    array(
      struct({
        errorCode: field(int16),
        name: field(string),
        isInternal: field(bool, { since: 1, missing: false }),
        partitions: field(
          array(
            struct({
              errorCode: field(int16),
              index: field(int32),
              leaderId: field(int32),
              leaderEpoch: field(int32, { since: 7, missing: NONE }),
              replicas: field(array(int32)),
              isr: field(array(int32)),
              offline: field(array(int32), { since: 5, missing: [] }),
            }),
          ),
        ),
        authorizedOperations: field(int32, { since: 8, missing: NO_OPERATIONS }),
      }),
    ),
  ),
  authorizedOperations: field(int32, { since: 8, missing: NO_OPERATIONS }),
});

const apiVersionsRequest = struct({
  clientSoftwareName: field(string, { since: 3, missing: '' }),
  clientSoftwareVersion: field(string, { since: 3, missing: '' }),
});

const apiVersionsResponse = struct({
  errorCode: field(int16),
  apis: field(array(struct({ key: field(int16), min: field(int16), max: field(int16) }))),
  throttleTimeMs: throttleTimeMs(1),
});

const offsetForLeaderEpochRequest = struct({
  /** -2: somebody who looks. */
  replicaId: field(int32, { since: 3, missing: -2 }),
  topics: field(
    array(
      struct({
        name: field(string),
        partitions: field(
          array(
            struct({
              index: field(int32),
              /** KIP-320 */
              currentLeaderEpoch: field(int32, { since: 2, missing: NONE }),
              leaderEpoch: field(int32),
            }),
          ),
        ),
      }),
    ),
  ),
});

const offsetForLeaderEpochResponse = struct({
  throttleTimeMs: throttleTimeMs(2),
  topics: field(
    array(
      struct({
        name: field(string),
        partitions: field(
          array(
            struct({
              errorCode: field(int16),
              index: field(int32),
              /** Of the answer (KIP-279). */
              leaderEpoch: field(int32, { since: 1, missing: NONE }),
              endOffset: field(int64),
            }),
          ),
        ),
      }),
    ),
  ),
});

export interface Api<Q = unknown, R = unknown> {
  readonly key: number;
  readonly min: number;
  readonly max: number;
  /** The first version with compact lengths and tagged fields. */
  readonly flexible: number;
  readonly request: Type<Q>;
  readonly response: Type<R>;
}

function api<Q, R>(key: number, [min, max]: [number, number], flexible: number, request: Type<Q>, response: Type<R>) {
  return { key, min, max, flexible, request, response };
}

export const apis = {
  Produce: api(0, [3, 9], 9, produceRequest, produceResponse),
  Fetch: api(1, [4, 12], 12, fetchRequest, fetchResponse),
  ListOffsets: api(2, [1, 6], 6, listOffsetsRequest, listOffsetsResponse),
  Metadata: api(3, [0, 9], 9, metadataRequest, metadataResponse),
  ApiVersions: api(18, [0, 3], 3, apiVersionsRequest, apiVersionsResponse),
  OffsetForLeaderEpoch: api(23, [0, 4], 4, offsetForLeaderEpochRequest, offsetForLeaderEpochResponse),
} as const;

export type ApiName = keyof typeof apis;
export type RequestOf<N extends ApiName> = (typeof apis)[N]['request'] extends Type<infer Q> ? Q : never;
export type ResponseOf<N extends ApiName> = (typeof apis)[N]['response'] extends Type<infer R> ? R : never;

/**
 * Error codes.
 *
 * Source: org.apache.kafka.common.protocol.Errors.
 */
export const errors = {
  NONE: 0,
  OFFSET_OUT_OF_RANGE: 1,
  CORRUPT_MESSAGE: 2,
  UNKNOWN_TOPIC_OR_PARTITION: 3,
  LEADER_NOT_AVAILABLE: 5,
  NOT_LEADER_OR_FOLLOWER: 6,
  REQUEST_TIMED_OUT: 7,
  MESSAGE_TOO_LARGE: 10,
  NOT_ENOUGH_REPLICAS: 19,
  NOT_ENOUGH_REPLICAS_AFTER_APPEND: 20,
  INVALID_REQUIRED_ACKS: 21,
  UNSUPPORTED_VERSION: 35,
  UNSUPPORTED_FOR_MESSAGE_FORMAT: 43,
  FENCED_LEADER_EPOCH: 74,
  UNKNOWN_LEADER_EPOCH: 75,
  INVALID_RECORD: 87,
} as const;
