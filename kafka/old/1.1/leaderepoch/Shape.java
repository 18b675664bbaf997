package leaderepoch;

import java.io.File;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import kafka.log.CleanerConfig;
import kafka.log.LogConfig;
import kafka.log.LogManager;
import kafka.server.AbstractFetcherManager;
import kafka.server.AbstractFetcherThread;
import kafka.server.BrokerIdAndFetcherId;
import kafka.server.BrokerState;
import kafka.server.BrokerTopicStats;
import kafka.server.FetchPartitionData;
import kafka.server.KafkaConfig;
import kafka.server.KafkaServer$;
import kafka.server.LogDirFailureChannel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.common.requests.ResponseHeader;
import org.apache.kafka.common.requests.UpdateMetadataRequest;
import org.apache.kafka.common.security.auth.SecurityProtocol;

/** What 1.1 and 2.0 have in a shape of their own. */
@SuppressWarnings({"unchecked", "rawtypes"})
final class Shape {
  static final int CONTROLLER = 0;
  private static final int FOR_EVER_MS = Integer.MAX_VALUE;

  private Shape() {}

  static LogManager logs(KafkaConfig config, File folder, Schedule tasks, Clock clock, BrokerTopicStats stats) {
    LogConfig logConfig = new LogConfig(KafkaServer$.MODULE$.copyKafkaConfigToLog(config), (scala.collection.immutable.Set) scala.collection.immutable.Set$.MODULE$.empty());
    CleanerConfig noCleaner = new CleanerConfig(1, 4194304L, 0.9, 1048576, 33554432, Double.MAX_VALUE, 15000L, false, "MD5");
    LogManager logs = new LogManager(
        Scala.seq(folder), Scala.<File>seq(), Scala.map(new HashMap()), logConfig, noCleaner, 1, FOR_EVER_MS, FOR_EVER_MS, FOR_EVER_MS,
        FOR_EVER_MS, FOR_EVER_MS, tasks, new BrokerState(), stats, new LogDirFailureChannel(1), clock);
    logs.startup();
    return logs;
  }

  /** Followers take up only with a leader that the metadata cache knows to be alive: ReplicaManager.makeFollowers. */
  static UpdateMetadataRequest everybodyIsAlive(List<Integer> brokers) {
    ListenerName listener = ListenerName.forSecurityProtocol(SecurityProtocol.PLAINTEXT);
    Set<UpdateMetadataRequest.Broker> alive = new HashSet<>();
    for (int broker : brokers)
      alive.add(new UpdateMetadataRequest.Broker(
          broker, List.of(new UpdateMetadataRequest.EndPoint("broker" + broker, 9092, SecurityProtocol.PLAINTEXT, listener)), null));
    return (UpdateMetadataRequest) new UpdateMetadataRequest.Builder((short) 4, CONTROLLER, 1, new HashMap<>(), alive).build();
  }

  /** A full reply holds every partition that was asked for; else the follower drops it in silence (FetchSessionHandler). */
  static AbstractResponse fetchResponse(TopicPartition partition, FetchPartitionData read, MemoryRecords records, short version) {
    LinkedHashMap data = new LinkedHashMap();
    data.put(partition, new FetchResponse.PartitionData(
        read.error(), read.highWatermark(), FetchResponse.INVALID_LAST_STABLE_OFFSET, read.logStartOffset(), null, records));
    return overTheWire(ApiKeys.FETCH, new FetchResponse(Errors.NONE, data, 0, 0), version);
  }

  /** Written and read again in the request's version, which has not all fields: the epoch came with version 1 (KIP-279). */
  static AbstractResponse overTheWire(ApiKeys api, AbstractResponse response, short version) {
    ByteBuffer buffer = response.serialize(version, new ResponseHeader(1));
    ResponseHeader.parse(buffer);
    return AbstractResponse.parseResponse(api, api.parseResponse(version, buffer));
  }

  static scala.collection.mutable.HashMap<BrokerIdAndFetcherId, AbstractFetcherThread> threads(AbstractFetcherManager manager) {
    return manager.fetcherThreadMap();
  }
}
