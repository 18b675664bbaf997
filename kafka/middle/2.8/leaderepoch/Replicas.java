package leaderepoch;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import kafka.api.LeaderAndIsr;
import kafka.cluster.CommittedIsr;
import kafka.cluster.Partition;
import kafka.server.AlterIsrItem;
import kafka.server.AlterIsrManager;
import kafka.server.DelayedOperation;
import kafka.server.DelayedOperationPurgatory;
import kafka.server.FetchPartitionData;
import kafka.server.LogDirFailureChannel;
import kafka.server.QuotaFactory;
import kafka.server.ReplicaFetcherManager;
import kafka.server.ReplicaManager;
import kafka.server.ReplicationQuotaManager;
import kafka.server.checkpoints.LazyOffsetCheckpoints;
import kafka.utils.timer.SystemTimer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.StopReplicaRequestData.StopReplicaPartitionState;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.utils.Time;
import scala.Option;
import scala.Tuple2;
import scala.collection.immutable.Map.Map1;
import scala.runtime.BoxedUnit;
import scala.util.Right;

/** ReplicaManager of 2.8, with our fetcher in it. */
final class Replicas extends ReplicaManager {
  /** ReplicaManager's constructor asks for the fetcher manager, before any field of ours can be set. */
  private static Parts making;

  Replicas(Parts parts) {
    super(
        (making = parts).config(), parts.metrics(), parts.clock(), Option.empty(), parts.tasks(), parts.logs(), new AtomicBoolean(),
        noQuotas(parts), parts.stats(), parts.cache(), new LogDirFailureChannel(1), purgatory("Produce"), purgatory("Fetch"),
        purgatory("DeleteRecords"), purgatory("ElectLeader"), Option.empty(), Shape.noConfig(), new Isr(parts));
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
  private static <T extends DelayedOperation> DelayedOperationPurgatory<T> purgatory(String name) {
    return new DelayedOperationPurgatory<>(name, new SystemTimer(name, 1, 20, 0), 0, 1, false, false);
  }

  /**
   * AlterIsr, answered at once, as ZkIsrManager does. What is not let through just now was never asked: Kafka would ask again
   * and again, and count with the larger ISR meanwhile.
   */
  private record Isr(Parts parts) implements AlterIsrManager {
    @Override
    public boolean submit(AlterIsrItem item) {
      LeaderAndIsr wanted = item.leaderAndIsr();
      List<Integer> isr = Scala.list(wanted.isr()).stream().map(member -> (Integer) member).toList();
      int version = parts.isrStore().get().change(parts.id(), wanted.zkVersion(), isr);
      Partition hosted = parts.hosted().get();
      if (version >= 0) item.callback().apply(new Right<>(wanted.withZkVersion(version)));
      else hosted.isrState_$eq(new CommittedIsr(hosted.isrState().isr()));
      return true;
    }

    @Override
    public void clearPending(TopicPartition partition) {}
  }

  void open(TopicPartition partition, Uuid topicId) {
    createPartition(partition).createLogIfNotExists(false, false, new LazyOffsetCheckpoints(highWatermarkCheckpoints()));
  }

  void forget(TopicPartition partition) {
    stopReplicas(0, 0, 1, 1L, new Map1<>(partition, new StopReplicaPartitionState().setPartitionIndex(0).setLeaderEpoch(-2).setDeletePartition(true)));
  }

  void append(TopicPartition partition, MemoryRecords records, short acks, Consumer<Errors> told) {
    appendRecords(
        Integer.MAX_VALUE, acks, false, kafka.log.AppendOrigin.Client$.MODULE$, new Map1<>(partition, records),
        responses -> {
          told.accept(responses.apply(partition).error);
          return BoxedUnit.UNIT;
        },
        Option.empty(), stats -> BoxedUnit.UNIT);
  }

  MiddleBroker.Read read(int follower, TopicPartition partition, Uuid topicId, FetchRequest.Builder request) {
    FetchPartitionData[] read = {null};
    fetchMessages(
        0L, follower, 1, Integer.MAX_VALUE, false, Scala.seq(new Tuple2<>(partition, request.fetchData().get(partition))),
        QuotaFactory.UnboundedQuota$.MODULE$,
        results -> {
          read[0] = results.apply(0)._2();
          return BoxedUnit.UNIT;
        },
        IsolationLevel.READ_UNCOMMITTED, Option.empty());
    Broker.EpochEnd diverging = read[0].divergingEpoch().isDefined()
        ? new Broker.EpochEnd(read[0].divergingEpoch().get().epoch(), read[0].divergingEpoch().get().endOffset())
        : Broker.EpochEnd.NONE;
    return MiddleBroker.Read.of(read[0].error(), read[0].highWatermark(), read[0].logStartOffset(), diverging, read[0].records());
  }
}
