package leaderepoch;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import kafka.cluster.BrokerEndPoint;
import kafka.server.AbstractFetcherThread;
import kafka.server.BlockingSend;
import kafka.server.BrokerIdAndFetcherId;
import kafka.server.InitialFetchState;
import kafka.server.PartitionFetchState;
import kafka.server.ReplicaFetcherThread;
import kafka.server.ReplicaManager;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.requests.AbstractRequest;

/**
 * Kafka's ReplicaFetcherManager and ReplicaFetcherThreads, whose work is called by us: they are never started, for
 * AbstractFetcherManager starts only threads that it has made itself, and finds ours already there.
 */
final class MiddleFetcher extends Fetchers {
  private static final Method MAYBE_TRUNCATE = Hidden.method(AbstractFetcherThread.class, "maybeTruncate");

  private final BooleanSupplier keepsLateReplies;
  private final Fetching work = new Fetching();

  MiddleFetcher(Parts parts, ReplicaManager replicas) {
    super(parts, replicas);
    keepsLateReplies = parts.keepsLateReplies();
  }

  // What Kafka calls.

  @Override
  public void addFetcherForPartitions(scala.collection.Map<TopicPartition, InitialFetchState> partitions) {
    for (InitialFetchState initial : Scala.map(partitions).values()) {
      BrokerIdAndFetcherId key = new BrokerIdAndFetcherId(initial.leader().id(), 0);
      if (!fetcherThreadMap().contains(key)) fetcherThreadMap().put(key, thread(initial.leader(), new Network(initial.leader())));
      work.begin();
    }
    super.addFetcherForPartitions(partitions);
  }

  /** With the partition goes what was under way for it, but where replies may come late (KAFKA-18723). */
  @Override
  public scala.collection.Map<TopicPartition, PartitionFetchState> removeFetcherForPartitions(scala.collection.Set<TopicPartition> partitions) {
    scala.collection.Map<TopicPartition, PartitionFetchState> removed = super.removeFetcherForPartitions(partitions);
    if (!partitions.isEmpty() && !keepsLateReplies.getAsBoolean()) work.drop();
    return removed;
  }

  /** Threads that never ran cannot be waited for. Where replies may come late, they have other partitions, and go on. */
  @Override
  public void shutdownIdleFetcherThreads() {
    if (keepsLateReplies.getAsBoolean()) return;
    for (Map.Entry<BrokerIdAndFetcherId, ReplicaFetcherThread> entry : List.copyOf(Scala.map(fetcherThreadMap()).entrySet()))
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

    /** Since 3.2. */
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
