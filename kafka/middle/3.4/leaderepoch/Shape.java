package leaderepoch;

import java.io.File;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Properties;
import kafka.cluster.Partition;
import kafka.cluster.Replica;
import kafka.log.CleanerConfig;
import kafka.log.LogConfig;
import kafka.log.LogManager;
import kafka.log.LogSegment;
import kafka.log.ProducerStateManagerConfig;
import kafka.server.BrokerTopicStats;
import kafka.server.KafkaConfig;
import kafka.server.LogDirFailureChannel;
import kafka.server.MetadataCache;
import kafka.server.QuotaType;
import kafka.server.ReplicationQuotaManager;
import kafka.server.ReplicationQuotaManagerConfig;
import kafka.server.BrokerFeatures;
import kafka.server.epoch.EpochEntry;
import kafka.server.metadata.ConfigRepository;
import kafka.server.metadata.ZkMetadataCache;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.LeaderAndIsrRequestData.LeaderAndIsrPartitionState;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.CompressionType;
import org.apache.kafka.common.record.FileRecords;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.common.record.SimpleRecord;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.common.requests.UpdateMetadataRequest;
import scala.Option;

/** What 3.4 has in a shape of its own. */
final class Shape {
  private static final int FOR_EVER_MS = Integer.MAX_VALUE;
  private static final Method MAYBE_EXPAND_ISR = Hidden.method(Partition.class, "maybeExpandIsr", Replica.class);

  private Shape() {}

  static LogManager logs(KafkaConfig config, File folder, Schedule tasks, Clock clock, BrokerTopicStats stats) {
    LogConfig logConfig = new LogConfig(LogConfig.extractLogConfigMap(config), noStrings());
    CleanerConfig noCleaner = new CleanerConfig(1, 4194304L, 0.9, 1048576, 33554432, Double.MAX_VALUE, 15000L, false, "MD5");
    LogManager logs = new LogManager(
        Scala.seq(folder), Scala.<File>seq(), noConfig(), logConfig, noCleaner, 1, FOR_EVER_MS, FOR_EVER_MS, FOR_EVER_MS,
        FOR_EVER_MS, FOR_EVER_MS, new ProducerStateManagerConfig(FOR_EVER_MS), FOR_EVER_MS, config.interBrokerProtocolVersion(), tasks,
        stats, new LogDirFailureChannel(1), clock, true);
    logs.startup(noStrings());
    return logs;
  }

  static BrokerTopicStats stats() {
    return new BrokerTopicStats();
  }

  static ConfigRepository noConfig() {
    return resource -> new Properties();
  }

  @SuppressWarnings("unchecked")
  private static scala.collection.immutable.Set<String> noStrings() {
    return (scala.collection.immutable.Set<String>) (Object) scala.collection.immutable.Set$.MODULE$.empty();
  }

  static void close(LogManager logs) {
    logs.shutdown();
  }

  static MetadataCache cache(int id, KafkaConfig config, UpdateMetadataRequest alive) {
    ZkMetadataCache cache = new ZkMetadataCache(
        id, config.interBrokerProtocolVersion(), BrokerFeatures.createDefault(), Scala.seq());
    cache.updateMetadata(0, alive);
    return cache;
  }

  static ReplicationQuotaManager noQuota(Metrics metrics, Clock clock) {
    return new ReplicationQuotaManager(
        new ReplicationQuotaManagerConfig(Long.MAX_VALUE, 1, 1), metrics, QuotaType.FollowerReplication$.MODULE$, clock);
  }

  static LeaderAndIsrPartitionState withVersion(LeaderAndIsrPartitionState state, int version) {
    return state.setPartitionEpoch(version);
  }

  static MemoryRecords batch(SimpleRecord record) {
    return MemoryRecords.withRecords(CompressionType.NONE, record);
  }

  /** A full reply holds every partition that was asked for; else the follower drops it in silence (FetchSessionHandler). */
  static AbstractResponse response(TopicPartition partition, Uuid topicId, MiddleBroker.Read read) {
    FetchResponseData.PartitionData data = new FetchResponseData.PartitionData()
        .setPartitionIndex(0).setErrorCode(read.error().code()).setHighWatermark(read.hw()).setLogStartOffset(read.logStart())
        .setRecords(read.records());
    if (read.diverging().epoch() >= 0)
      data.setDivergingEpoch(
          new FetchResponseData.EpochEndOffset().setEpoch(read.diverging().epoch()).setEndOffset(read.diverging().endOffset()));
    LinkedHashMap<TopicIdPartition, FetchResponseData.PartitionData> all = new LinkedHashMap<>();
    all.put(new TopicIdPartition(topicId, partition), data);
    return FetchResponse.of(Errors.NONE, 0, 0, all);
  }

  static void keptUp(Replica remote, long now, long logEndOffset) {
    remote.resetReplicaState(now, logEndOffset, false, true);
  }

  static long logEndOffset(Replica remote) {
    return remote.stateSnapshot().logEndOffset();
  }

  static void maybeExpandIsr(Partition hosted, Replica follower, long now) {
    Hidden.call(MAYBE_EXPAND_ISR, hosted, follower);
  }

  static void flush(Partition hosted) {
    hosted.localLogOrException().flush(false);
  }

  static List<FileRecords> segments(Partition hosted) {
    List<FileRecords> segments = new ArrayList<>();
    for (LogSegment segment : Scala.iterable(hosted.localLogOrException().logSegments())) segments.add(segment.log());
    return segments;
  }

  static List<Broker.EpochStart> epochs(Partition hosted) {
    List<Broker.EpochStart> epochs = new ArrayList<>();
    for (EpochEntry entry : Scala.list(hosted.localLogOrException().leaderEpochCache().get().epochEntries()))
      epochs.add(new Broker.EpochStart(entry.epoch(), entry.startOffset()));
    return epochs;
  }

  static long epochStart(Partition hosted) {
    Option<?> start = hosted.leaderEpochStartOffsetOpt();
    return start.isDefined() ? (Long) start.get() : -1;
  }
}
