import { z } from 'zod';

/** What brokers ask of their controller, as far as it matters here, and the errors that it answers. */

/** Kafka's error codes, by source: Errors.java. */
export const FENCED_LEADER_EPOCH = 74;
export const STALE_BROKER_EPOCH = 77;
export const OPERATION_NOT_ATTEMPTED = 55;

export const registrationRequest = z.object({
  brokerId: z.number(),
  incarnationId: z.string(),
  logDirs: z.array(z.string()),
});
export const heartbeatRequest = z.object({
  brokerId: z.number(),
  brokerEpoch: z.number(),
  currentMetadataOffset: z.number(),
  wantFence: z.boolean(),
});
export const fetchRequest = z.object({
  replicaState: z.object({ replicaId: z.number() }),
  maxWaitMs: z.number(),
  topics: z.array(
    z.object({ partitions: z.array(z.object({ currentLeaderEpoch: z.number(), fetchOffset: z.number() })) }),
  ),
});
export const alterPartitionRequest = z.object({
  brokerId: z.number(),
  topics: z.array(
    z.object({
      topicId: z.string(),
      partitions: z.array(
        z.object({
          partitionIndex: z.number(),
          leaderEpoch: z.number(),
          partitionEpoch: z.number(),
          newIsrWithEpochs: z.array(z.object({ brokerId: z.number() })),
        }),
      ),
    }),
  ),
});
