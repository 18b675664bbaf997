package leaderepoch;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import kafka.server.DelayedOperation;
import kafka.server.DelayedOperationPurgatory;
import kafka.server.LogDirFailureChannel;
import kafka.server.ReplicaFetcherManager;
import kafka.server.ReplicaManager;
import kafka.server.ReplicationQuotaManager;
import kafka.utils.timer.SystemTimer;
import kafka.zk.KafkaZkClient;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.common.requests.LeaderAndIsrRequest;
import org.apache.kafka.common.utils.Time;
import scala.Function1;
import scala.Option;
import scala.Tuple2;
import scala.runtime.BoxedUnit;

/** ReplicaManager of 1.1 and 2.0, with our fetcher in it. */
final class Replicas extends ReplicaManager {
  private static final int FOR_EVER_MS = Integer.MAX_VALUE;
  /** ReplicaManager's constructor asks for the fetcher manager, before any field of ours can be set. */
  private static Parts making;

  private final int id;

  Replicas(Parts parts) {
    super(
        (making = parts).config(), parts.metrics(), parts.clock(), new IsrInZooKeeper(parts), parts.tasks(), parts.logs(),
        new AtomicBoolean(), Variants.quotas(parts.noQuota()), parts.stats(), parts.cache(), new LogDirFailureChannel(1),
        purgatory("Produce"), purgatory("Fetch"), purgatory("DeleteRecords"), Option.empty());
    id = parts.id();
  }

  /** Without a clock: who waits, waits until it is answered. */
  private static <T extends DelayedOperation> DelayedOperationPurgatory<T> purgatory(String name) {
    return new DelayedOperationPurgatory<>(name, new SystemTimer(name, 1, 20, 0), 0, 1, false, false);
  }

  @Override
  public ReplicaFetcherManager createReplicaFetcherManager(
      Metrics metrics, Time time, Option<String> threadNamePrefix, ReplicationQuotaManager quota) {
    return new OldFetcher(making.config(), this, metrics, time, quota);
  }

  OldFetcher fetcher() {
    return (OldFetcher) replicaFetcherManager();
  }

  /** ZooKeeper's node of the partition: ReplicationUtils.updateLeaderAndIsr. */
  private static final class IsrInZooKeeper extends KafkaZkClient {
    private final Parts parts;

    IsrInZooKeeper(Parts parts) {
      super(null, false, Time.SYSTEM);
      this.parts = parts;
    }

    @Override
    public Properties getEntityConfigs(String rootEntityType, String sanitizedEntityName) {
      return new Properties();
    }

    @Override
    public Tuple2<Object, Object> conditionalUpdatePath(
        String path, byte[] data, int expectVersion,
        Option<scala.Function3<KafkaZkClient, String, byte[], Tuple2<Object, Object>>> checker) {
      int version = parts.isrStore().get().change(parts.id(), expectVersion, IsrJson.read(data));
      return new Tuple2<>((Object) (version >= 0), (Object) version);
    }
  }

  void open(TopicPartition partition) {
    getOrCreatePartition(partition).getOrCreateReplica(id, false);
  }

  Errors hear(TopicPartition partition, Broker.Election election, List<Integer> brokers) {
    LeaderAndIsrRequest.PartitionState state = new LeaderAndIsrRequest.PartitionState(
        1, election.leader(), election.epoch(), election.isr(), election.version(), brokers, false);
    LeaderAndIsrRequest request = new LeaderAndIsrRequest.Builder(
        (short) 1, Shape.CONTROLLER, 1, Map.of(partition, state), new HashSet<>()).build();
    return becomeLeaderOrFollower(0, request, (leaders, followers) -> BoxedUnit.UNIT).responses().get(partition);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  void append(TopicPartition partition, MemoryRecords records, short acks, Consumer<Errors> told) {
    appendRecords(
        FOR_EVER_MS, acks, false, true, Scala.map(Map.of(partition, records)),
        responses -> {
          told.accept(responses.apply(partition).error);
          return BoxedUnit.UNIT;
        },
        Option.empty(), (Function1) stats -> BoxedUnit.UNIT);
  }
}
