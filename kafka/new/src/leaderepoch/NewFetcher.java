package leaderepoch;

import java.lang.reflect.Method;
import kafka.server.AbstractFetcherThread;
import kafka.server.BlockingSend;
import kafka.server.BrokerIdAndFetcherId;
import kafka.server.InitialFetchState;
import kafka.server.RemoteLeaderEndPoint;
import kafka.server.ReplicaFetcherManager;
import kafka.server.ReplicaFetcherThread;
import kafka.server.ReplicaManager;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.FetchSessionHandler;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.utils.internals.LogContext;
import org.apache.kafka.server.LeaderEndPoint;
import org.apache.kafka.server.PartitionFetchState;
import org.apache.kafka.server.network.BrokerEndPoint;
import org.apache.kafka.server.quota.ReplicationQuotaManager;
import scala.collection.Map;
import scala.collection.Set;

/** Kafka's ReplicaFetcherManager and ReplicaFetcherThreads, whose work is called by us: they are never started. */
final class NewFetcher extends ReplicaFetcherManager {
  private static final Method MAYBE_TRUNCATE = Hidden.method(AbstractFetcherThread.class, "maybeTruncate");

  private final Parts parts;
  private final ReplicaManager replicas;
  private final ReplicationQuotaManager quota;
  private final Fetching work = new Fetching();

  NewFetcher(Parts parts, ReplicaManager replicas, ReplicationQuotaManager quota) {
    super(
        parts.config(), replicas, parts.metrics(), parts.clock(), quota, () -> parts.cache().metadataVersion(),
        () -> (Object) parts.brokerEpoch().get());
    this.parts = parts;
    this.replicas = replicas;
    this.quota = quota;
  }

  // What Kafka calls.

  @Override
  public ReplicaFetcherThread createFetcherThread(int fetcherId, BrokerEndPoint source) {
    LogContext context = new LogContext("[fetcher from " + source.id() + "] ");
    LeaderEndPoint leader = new RemoteLeaderEndPoint(
        context.logPrefix(), new Network(source), new FetchSessionHandler(context, source.id()), parts.config(), replicas, quota,
        () -> parts.cache().metadataVersion(), () -> (Object) parts.brokerEpoch().get());
    return new ReplicaFetcherThread("fetcher", leader, parts.config(), failedPartitions(), replicas, quota, context.logPrefix()) {
      @Override
      public synchronized void start() {}
    };
  }

  /** With the partition goes what was under way for it, but where replies may come late (KAFKA-18723). */
  @Override
  public Map<TopicPartition, PartitionFetchState> removeFetcherForPartitions(Set<TopicPartition> partitions) {
    Map<TopicPartition, PartitionFetchState> removed = super.removeFetcherForPartitions(partitions);
    if (!partitions.isEmpty() && !parts.keepsLateReplies().getAsBoolean()) work.drop();
    return removed;
  }

  @Override
  public void addFetcherForPartitions(Map<TopicPartition, InitialFetchState> partitions) {
    super.addFetcherForPartitions(partitions);
    if (!partitions.isEmpty()) work.begin();
  }

  /** Threads that never ran cannot be waited for. Where replies may come late, they have other partitions, and go on. */
  @Override
  public void shutdownIdleFetcherThreads() {
    if (parts.keepsLateReplies().getAsBoolean()) return;
    for (java.util.Map.Entry<BrokerIdAndFetcherId, ReplicaFetcherThread> entry : java.util.List.copyOf(Scala.map(fetcherThreadMap()).entrySet()))
      if (entry.getValue().partitionCount() == 0) {
        entry.getValue().fetcherStats().unregister();
        fetcherThreadMap().remove(entry.getKey());
      }
  }

  @Override
  public void closeAllFetchers() {
    work.drop();
  }

  private final class Network implements BlockingSend {
    private final BrokerEndPoint source;

    Network(BrokerEndPoint source) {
      this.source = source;
    }

    @Override
    public BrokerEndPoint brokerEndPoint() {
      return source;
    }

    @Override
    public ClientResponse sendRequest(AbstractRequest.Builder<? extends AbstractRequest> request) {
      return (ClientResponse) work.call(request);
    }

    @Override
    public void initiateClose() {}

    @Override
    public void close() {}
  }

  // What we call.

  Fetching work() {
    return work;
  }

  String state(TopicPartition partition) {
    ReplicaFetcherThread thread = threadOf(partition);
    if (work.dead()) return "dead";
    if (failedPartitions().contains(partition)) return "failed";
    if (thread == null) return "idle";
    return thread.fetchState(partition).get().isTruncating() ? "truncating" : "fetching";
  }

  int leader(TopicPartition partition) {
    return threadOf(partition).leader().brokerEndPoint().id();
  }

  /** What doWork does first, alone: a private method. Returns the request that it makes, if any. */
  Object truncate(TopicPartition partition) {
    ReplicaFetcherThread thread = threadOf(partition);
    return work.run(() -> Hidden.call(MAYBE_TRUNCATE, thread));
  }

  Object fetch(TopicPartition partition) {
    return work.run(threadOf(partition)::doWork);
  }

  private ReplicaFetcherThread threadOf(TopicPartition partition) {
    for (ReplicaFetcherThread thread : Scala.map(fetcherThreadMap()).values())
      if (thread.fetchState(partition).isDefined()) return thread;
    return null;
  }
}
