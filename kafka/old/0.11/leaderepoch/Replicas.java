package leaderepoch;

import java.lang.reflect.Proxy;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import kafka.server.DelayedOperation;
import kafka.server.DelayedOperationPurgatory;
import kafka.server.ReplicaFetcherManager;
import kafka.server.ReplicaManager;
import kafka.server.ReplicationQuotaManager;
import kafka.utils.ZkUtils;
import kafka.utils.timer.SystemTimer;
import org.I0Itec.zkclient.IZkConnection;
import org.I0Itec.zkclient.ZkClient;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.common.requests.LeaderAndIsrRequest;
import org.apache.kafka.common.requests.PartitionState;
import org.apache.kafka.common.utils.Time;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import scala.Option;
import scala.Tuple2;
import scala.runtime.BoxedUnit;

/** ReplicaManager of 0.11, with our fetcher in it. */
final class Replicas extends ReplicaManager {
  private static final int FOR_EVER_MS = Integer.MAX_VALUE;
  /** ReplicaManager's constructor asks for the fetcher manager, before any field of ours can be set. */
  private static Parts making;

  private final int id;

  Replicas(Parts parts) {
    super(
        (making = parts).config(), parts.metrics(), parts.clock(), new IsrInZooKeeper(parts), parts.tasks(), parts.logs(),
        new AtomicBoolean(), parts.noQuota(), parts.stats(), parts.cache(),
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

  @Override
  public void shutdown(boolean checkpointHighWatermarks) {
    super.shutdown(checkpointHighWatermarks);
    zkUtils().zkClient().close();
  }

  OldFetcher fetcher() {
    return (OldFetcher) replicaFetcherManager();
  }

  /** ZooKeeper's node of the partition: ReplicationUtils.updateLeaderAndIsr. */
  private static final class IsrInZooKeeper extends ZkUtils {
    private final Parts parts;

    IsrInZooKeeper(Parts parts) {
      super(new ZkClient(emptyZooKeeper(), FOR_EVER_MS), null, false);
      this.parts = parts;
    }

    @Override
    public Tuple2<Object, Object> conditionalUpdatePersistentPath(
        String path, String data, int expectVersion,
        Option<scala.Function3<ZkUtils, String, String, Tuple2<Object, Object>>> checker) {
      int version = parts.isrStore().get().change(parts.id(), expectVersion, IsrJson.read(data.getBytes()));
      return new Tuple2<>((Object) (version >= 0), (Object) version);
    }

    /** A connection to a ZooKeeper that knows of nothing: Kafka asks it for a topic's configuration. */
    private static IZkConnection emptyZooKeeper() {
      return (IZkConnection) Proxy.newProxyInstance(
          IZkConnection.class.getClassLoader(), new Class<?>[] {IZkConnection.class}, (connection, method, arguments) -> {
            switch (method.getName()) {
              case "connect":
                // The client, which waits for this, refuses to do so on the thread that tells it.
                new Thread(() -> ((Watcher) arguments[0]).process(new WatchedEvent(EventType.None, KeeperState.SyncConnected, null))).start();
                return null;
              case "readData":
                throw new KeeperException.NoNodeException((String) arguments[0]);
              case "close":
                return null;
              case "getServers":
                return "none";
              default:
                throw new UnsupportedOperationException(method.getName());
            }
          });
    }
  }

  void open(TopicPartition partition) {
    getOrCreatePartition(partition).getOrCreateReplica(id);
  }

  Errors hear(TopicPartition partition, Broker.Election election, List<Integer> brokers) {
    PartitionState state = new PartitionState(1, election.leader(), election.epoch(), election.isr(), election.version(), brokers);
    LeaderAndIsrRequest request = new LeaderAndIsrRequest.Builder(Shape.CONTROLLER, 1, Map.of(partition, state), new HashSet<>()).build();
    return becomeLeaderOrFollower(0, request, (leaders, followers) -> BoxedUnit.UNIT).responseMap().apply(partition);
  }

  void append(TopicPartition partition, MemoryRecords records, short acks, Consumer<Errors> told) {
    appendRecords(
        FOR_EVER_MS, acks, false, true, Scala.map(Map.of(partition, records)),
        responses -> {
          told.accept(responses.apply(partition).error);
          return BoxedUnit.UNIT;
        },
        Option.empty());
  }
}
