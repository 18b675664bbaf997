import { z } from 'zod';
import type { Dialect, GatedReply, GatedRequest, Topic } from '../controller.ts';
import { errorName } from '../errors.ts';
import type { ParkedRequest } from '../gate.ts';
import { Reader } from '../wire/bytes.ts';
import { batchesOf } from '../wire/records.ts';
import { readReply, readRequest } from './frames.ts';
import { topicId } from './records.ts';
import type { Schemas } from './schemas.ts';

const fetchRequest = z.object({
  topics: z.array(
    z.object({
      topicId: z.string(),
      partitions: z.array(
        z.object({ fetchOffset: z.number(), currentLeaderEpoch: z.number(), lastFetchedEpoch: z.number() }),
      ),
    }),
  ),
});
const fetchResponse = z.object({
  errorCode: z.number(),
  responses: z.array(
    z.object({
      topicId: z.string(),
      partitions: z.array(
        z.object({
          errorCode: z.number(),
          highWatermark: z.number(),
          divergingEpoch: z.object({ epoch: z.number(), endOffset: z.number() }),
          records: z.instanceof(Buffer).nullable(),
        }),
      ),
    }),
  ),
});

/** What followers and leaders say to each other: a follower asks with Fetch alone. */
export function kraftDialect(schemas: Schemas): Dialect {
  return {
    request: ({ request }: ParkedRequest, topic: Topic): GatedRequest | null => {
      const { topics } = fetchRequest.parse(readRequest(schemas.of('FetchRequest'), request));
      const partition = topics.find((one) => one.topicId === topicId(topic))?.partitions[0];
      if (partition === undefined) return null;
      const { fetchOffset: number, currentLeaderEpoch: leaderEpoch, lastFetchedEpoch } = partition;
      return { type: 'FetchRequest', number, leaderEpoch, lastFetchedEpoch };
    },

    reply: ({ apiVersion, reply }: ParkedRequest, topic: Topic): GatedReply => {
      if (reply === null) throw new TypeError('there is no reply yet');
      const message = readReply(schemas.of('FetchResponse'), apiVersion, new Reader(reply, 4));
      const { errorCode, responses } = fetchResponse.parse(message);
      const partition = responses.find((one) => one.topicId === topicId(topic))?.partitions[0];
      if (partition === undefined) throw new RangeError(`a Fetch reply without the partition: ${errorName(errorCode)}`);
      return {
        error: errorName(partition.errorCode),
        epochEnd: partition.divergingEpoch,
        hw: partition.highWatermark,
        records: batchesOf(partition.records ?? Buffer.alloc(0)).flatMap(({ records }) => records),
      };
    },
  };
}
