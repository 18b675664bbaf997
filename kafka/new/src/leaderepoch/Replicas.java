package leaderepoch;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import kafka.server.ReplicaFetcherManager;
import kafka.server.ReplicaManager;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.LeaderAndIsr;
import org.apache.kafka.metadata.LeaderRecoveryState;
import org.apache.kafka.server.DelayedActionQueue;
import org.apache.kafka.server.common.DirectoryEventHandler;
import org.apache.kafka.server.config.ReplicationQuotaManagerConfig;
import org.apache.kafka.server.partition.AlterPartitionManager;
import org.apache.kafka.server.purgatory.DelayedOperation;
import org.apache.kafka.server.purgatory.DelayedOperationPurgatory;
import org.apache.kafka.server.quota.QuotaFactory;
import org.apache.kafka.server.quota.QuotaType;
import org.apache.kafka.server.quota.ReplicationQuotaManager;
import org.apache.kafka.server.storage.log.FetchIsolation;
import org.apache.kafka.server.storage.log.FetchParams;
import org.apache.kafka.server.storage.log.FetchPartitionData;
import org.apache.kafka.server.util.timer.SystemTimer;
import scala.Option;
import scala.Tuple2;
import scala.runtime.BoxedUnit;

/** ReplicaManager with our fetcher in it. */
final class Replicas extends ReplicaManager {
  /** ReplicaManager's constructor asks for the fetcher manager, before any field of ours can be set. */
  private static Parts making;

  Replicas(Parts parts) {
    super(
        (making = parts).config(), parts.metrics(), parts.clock(), parts.tasks(), parts.logs(), Option.empty(), noQuotas(parts),
        parts.cache(), parts.failures(), new Isr(parts), parts.stats(), purgatory("Produce"), purgatory("Fetch"),
        purgatory("DeleteRecords"), purgatory("RemoteFetch"), purgatory("RemoteListOffsets"), purgatory("ShareFetch"),
        () -> (Object) parts.brokerEpoch().get(), Option.empty(), DirectoryEventHandler.NOOP, new DelayedActionQueue());
  }

  /** Nothing here uses quotas of clients, whose managers have threads. */
  private static QuotaFactory.QuotaManagers noQuotas(Parts parts) {
    ReplicationQuotaManager none = new ReplicationQuotaManager(
        new ReplicationQuotaManagerConfig(1, 1), parts.metrics(), QuotaType.FOLLOWER_REPLICATION, parts.clock());
    return new QuotaFactory.QuotaManagers(null, null, null, null, none, none, none, Optional.empty());
  }

  /** Without a clock: who waits, waits until it is answered. */
  private static <T extends DelayedOperation> Option<DelayedOperationPurgatory<T>> purgatory(String name) {
    return Option.apply(new DelayedOperationPurgatory<>(name, new SystemTimer(name), 0, 1, false, false));
  }

  @Override
  public ReplicaFetcherManager createReplicaFetcherManager(Metrics metrics, Time time, ReplicationQuotaManager quota) {
    return new NewFetcher(making, this, quota);
  }

  NewFetcher fetcher() {
    return (NewFetcher) replicaFetcherManager();
  }

  /** What it reads for a follower's fetch, and with it counts. */
  FetchPartitionData read(int follower, long brokerEpoch, TopicIdPartition partition, FetchRequest.PartitionData question) {
    FetchPartitionData[] read = {null};
    FetchParams params = new FetchParams(follower, brokerEpoch, 0L, 1, Integer.MAX_VALUE, FetchIsolation.LOG_END, Optional.empty());
    fetchMessages(params, Scala.seq(new Tuple2<>(partition, question)), QuotaFactory.UNBOUNDED_QUOTA, results -> {
      read[0] = Scala.list(results).get(0)._2();
      return BoxedUnit.UNIT;
    });
    tryCompleteActions();
    return read[0];
  }

  /** AlterPartition: what is not let through just now was not attempted. */
  private record Isr(Parts parts) implements AlterPartitionManager {
    @Override
    public CompletableFuture<LeaderAndIsr> submit(org.apache.kafka.server.common.TopicIdPartition partition, LeaderAndIsr wanted) {
      List<Integer> isr = List.copyOf(wanted.isr());
      int version = parts.isrStore().get().change(parts.id(), wanted.partitionEpoch(), isr);
      if (version < 0) return CompletableFuture.failedFuture(Errors.OPERATION_NOT_ATTEMPTED.exception());
      return CompletableFuture.completedFuture(
          new LeaderAndIsr(wanted.leader(), wanted.leaderEpoch(), isr, LeaderRecoveryState.RECOVERED, version));
    }

    @Override
    public void start() {}

    @Override
    public void shutdown() {}
  }
}
