import type { Dialect } from './controller.ts';
import { errorName } from './errors.ts';
import { FETCH, readEpochReply, readEpochRequest, readFetchReply, readFetchRequest } from './wire/replication.ts';

/** Gated messages as the specification has them. */
export const zkDialect: Dialect = {
  request: ({ apiKey, request }, { name }) => {
    const partition = { topic: name, index: 0 };
    if (apiKey === FETCH) {
      const found = readFetchRequest(request, partition);
      return found && { type: 'FetchRequest', number: found.offset, ...found };
    }
    const found = readEpochRequest(request, partition);
    return found && { type: 'OffsetsForLeaderEpochRequest', number: found.asked, lastFetchedEpoch: -1, ...found };
  },

  reply: ({ apiKey, apiVersion, reply }, { name }) => {
    const partition = { topic: name, index: 0 };
    if (reply === null) throw new TypeError('it has not been answered');
    if (apiKey === FETCH) {
      const found = readFetchReply(reply, apiVersion, partition);
      if (found === null) throw new RangeError(`a Fetch reply without ${name}`);
      return { error: asRefusal(found.errorCode), epochEnd: found.diverging, hw: found.hw, records: found.records };
    }
    const found = readEpochReply(reply, apiVersion, partition);
    if (found === null) throw new RangeError(`an answer to OffsetForLeaderEpoch without ${name}`);
    const { epoch, endOffset } = found;
    return { error: asRefusal(found.errorCode), epochEnd: { epoch, endOffset }, hw: -1, records: [] };
  },
};

/** A broker that has just started does not know the partition; the specification knows it only not to lead. */
function asRefusal(code: number): string {
  const name = errorName(code);
  return name === 'UNKNOWN_TOPIC_OR_PARTITION' ? 'NOT_LEADER' : name;
}
