package leaderepoch;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import kafka.api.LeaderAndIsr;
import kafka.server.AlterPartitionManager;
import kafka.server.DelayedOperation;
import kafka.server.DelayedOperationPurgatory;
import org.apache.kafka.storage.internals.log.FetchIsolation;
import org.apache.kafka.storage.internals.log.FetchParams;
import org.apache.kafka.storage.internals.log.FetchPartitionData;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import kafka.server.QuotaFactory;
import kafka.server.ReplicaFetcherManager;
import kafka.server.ReplicaManager;
import kafka.server.ReplicationQuotaManager;
import kafka.server.RequestLocal;
import kafka.server.checkpoints.LazyOffsetCheckpoints;
import org.apache.kafka.server.util.timer.SystemTimer;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.StopReplicaRequestData.StopReplicaPartitionState;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.common.DirectoryEventHandler;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import scala.Option;
import scala.Tuple2;
import scala.collection.immutable.Map.Map1;
import scala.runtime.BoxedUnit;

/** ReplicaManager of 3.9, with our fetcher in it. */
final class Replicas extends ReplicaManager {
  /** ReplicaManager's constructor asks for the fetcher manager, before any field of ours can be set. */
  private static Parts making;

  Replicas(Parts parts) {
    super(
        (making = parts).config(), parts.metrics(), parts.clock(), parts.tasks(), parts.logs(), Option.empty(), noQuotas(parts), parts.cache(),
        new LogDirFailureChannel(1), new Isr(parts), parts.stats(), new AtomicBoolean(), Option.empty(), purgatory("Produce"),
        purgatory("Fetch"), purgatory("DeleteRecords"), purgatory("ElectLeader"), purgatory("RemoteFetch"), Option.empty(), Shape.BROKER_EPOCH, Option.empty(), DirectoryEventHandler.NOOP);
  }

  @Override
  public ReplicaFetcherManager createReplicaFetcherManager(
      Metrics metrics, Time time, Option<String> threadNamePrefix, ReplicationQuotaManager quota) {
    return new MiddleFetcher(making, this);
  }

  MiddleFetcher fetcher() {
    return (MiddleFetcher) replicaFetcherManager();
  }

  /** Nothing here uses quotas of clients, whose managers have threads. */
  private static QuotaFactory.QuotaManagers noQuotas(Parts parts) {
    ReplicationQuotaManager none = Shape.noQuota(parts.metrics(), parts.clock());
    return new QuotaFactory.QuotaManagers(null, null, null, null, none, none, none, Option.empty());
  }

  /** Without a clock: who waits, waits until it is answered. */
  private static <T extends DelayedOperation> Option<DelayedOperationPurgatory<T>> purgatory(String name) {
    return Option.apply(new DelayedOperationPurgatory<>(name, new SystemTimer(name, 1, 20, 0), 0, 1, false, false));
  }

  /** AlterPartition: what is not let through just now was not attempted. */
  private record Isr(Parts parts) implements AlterPartitionManager {
    @Override
    public CompletableFuture<LeaderAndIsr> submit(TopicIdPartition partition, LeaderAndIsr wanted, int controllerEpoch) {
      List<Integer> isr = Scala.list(wanted.isr()).stream().map(member -> (Integer) member).toList();
      int version = parts.isrStore().get().change(parts.id(), wanted.partitionEpoch(), isr);
      if (version < 0) return CompletableFuture.failedFuture(Errors.OPERATION_NOT_ATTEMPTED.exception());
      return CompletableFuture.completedFuture(wanted.withPartitionEpoch(version));
    }
  }

  void open(TopicPartition partition, Uuid topicId) {
    createPartition(partition).createLogIfNotExists(false, false, new LazyOffsetCheckpoints(highWatermarkCheckpoints()), Option.apply(topicId), Option.empty());
  }

  void forget(TopicPartition partition) {
    stopReplicas(0, 0, 1, new Map1<>(partition, new StopReplicaPartitionState().setPartitionIndex(0).setLeaderEpoch(-2).setDeletePartition(true)));
  }

  void append(TopicPartition partition, MemoryRecords records, short acks, Consumer<Errors> told) {
    appendRecords(
        Integer.MAX_VALUE, acks, false, AppendOrigin.CLIENT, new Map1<>(partition, records),
        responses -> {
          told.accept(responses.apply(partition).error);
          return BoxedUnit.UNIT;
        },
        Option.empty(), stats -> BoxedUnit.UNIT, RequestLocal.NoCaching(), appendRecords$default$10(),
        scala.collection.immutable.Map$.MODULE$.empty());
  }

  MiddleBroker.Read read(int follower, TopicPartition partition, Uuid topicId, FetchRequest.Builder request) {
    FetchPartitionData[] read = {null};
    FetchParams params = new FetchParams(
        ApiKeys.FETCH.latestVersion(), follower, -1L, 0L, 1, Integer.MAX_VALUE, FetchIsolation.LOG_END, Optional.empty());
    fetchMessages(
        params, Scala.seq(new Tuple2<>(new TopicIdPartition(topicId, partition), request.fetchData().get(partition))),
        QuotaFactory.UnboundedQuota$.MODULE$,
        results -> {
          read[0] = results.apply(0)._2();
          return BoxedUnit.UNIT;
        });
    Broker.EpochEnd diverging =
        read[0].divergingEpoch.map(end -> new Broker.EpochEnd(end.epoch(), end.endOffset())).orElse(Broker.EpochEnd.NONE);
    return MiddleBroker.Read.of(read[0].error, read[0].highWatermark, read[0].logStartOffset, diverging, read[0].records);
  }
}
