package leaderepoch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.common.requests.ListOffsetsRequest;
import org.apache.kafka.common.requests.ListOffsetsResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.server.storage.log.FetchPartitionData;

/** Kafka's responses, made of what ReplicaManager read (as KafkaApis makes them) and as a fetcher receives them. */
final class Wire {
  private Wire() {}

  static ClientResponse received(ApiKeys api, AbstractResponse body) {
    return new ClientResponse(new RequestHeader(api, api.latestVersion(), "", 1), null, "", 0, 0, false, null, null, body);
  }

  /** To a follower that asks where the leader's log ends, or where it starts: at 0. */
  static ListOffsetsResponse offset(TopicPartition partition, ListOffsetsRequest.Builder request, long logEnd) {
    long wanted = request.build().data().topics().get(0).partitions().get(0).timestamp();
    long offset = wanted == ListOffsetsRequest.LATEST_TIMESTAMP ? logEnd : 0;
    return new ListOffsetsResponse(new ListOffsetsResponseData().setTopics(List.of(
        new ListOffsetsResponseData.ListOffsetsTopicResponse().setName(partition.topic()).setPartitions(List.of(
            new ListOffsetsResponseData.ListOffsetsPartitionResponse().setPartitionIndex(0).setOffset(offset))))));
  }

  static Broker.Reply reply(TopicIdPartition partition, FetchPartitionData read, long logEnd) {
    MemoryRecords records = inMemory(read.records);
    FetchResponseData.PartitionData data = new FetchResponseData.PartitionData()
        .setPartitionIndex(0).setErrorCode(read.error.code()).setHighWatermark(read.highWatermark)
        .setLogStartOffset(read.logStartOffset).setRecords(records);
    read.divergingEpoch.ifPresent(data::setDivergingEpoch);
    String error = ErrorNames.of(read.error.name());
    boolean tellsEnd = error.equals("none") || error.equals("OFFSET_OUT_OF_RANGE");
    Broker.EpochEnd diverging =
        read.divergingEpoch.map(end -> new Broker.EpochEnd(end.epoch(), end.endOffset())).orElse(Broker.EpochEnd.NONE);
    return new Broker.Reply(
        error, diverging, tellsEnd ? logEnd : -1, read.highWatermark, Records.read(records.batches()), response(partition, data));
  }

  /** The partition is open, but for our eyes only: ReplicaManager.getPartitionOrException would not find it. */
  static Broker.Reply unheardOf(TopicIdPartition partition) {
    Errors error = Errors.NOT_LEADER_OR_FOLLOWER;
    return new Broker.Reply(
        ErrorNames.of(error.name()), Broker.EpochEnd.NONE, -1, -1, List.of(),
        response(partition, FetchResponse.partitionResponse(0, error)));
  }

  /** A full reply holds every partition that was asked for; else the follower drops it in silence (FetchSessionHandler). */
  private static FetchResponse response(TopicIdPartition partition, FetchResponseData.PartitionData data) {
    LinkedHashMap<TopicIdPartition, FetchResponseData.PartitionData> all = new LinkedHashMap<>();
    all.put(partition, data);
    return FetchResponse.of(Errors.NONE, 0, 0, all, List.of());
  }

  private static MemoryRecords inMemory(BaseRecords records) {
    if (records instanceof MemoryRecords) return (MemoryRecords) records;
    try {
      ByteBuffer buffer = ByteBuffer.allocate(records.sizeInBytes());
      ((FileRecords) records).readInto(buffer, 0);
      return MemoryRecords.readableRecords(buffer);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
