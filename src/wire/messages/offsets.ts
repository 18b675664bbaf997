/** ListOffsets and OffsetForLeaderEpoch: where things are in a log. */
import { array, field, int8, int16, int32, int64, string, struct } from '../schema.ts';
import { NONE, throttleTimeMs } from './common.ts';

export const listOffsetsRequest = struct({
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

export const listOffsetsResponse = struct({
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

export const offsetForLeaderEpochRequest = struct({
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

export const offsetForLeaderEpochResponse = struct({
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
