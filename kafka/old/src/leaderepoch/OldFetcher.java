package leaderepoch;

import java.util.List;
import java.util.Map;
import kafka.cluster.BrokerEndPoint;
import kafka.server.AbstractFetcherThread;
import kafka.server.BlockingSend;
import kafka.server.BrokerAndInitialOffset;
import kafka.server.BrokerIdAndFetcherId;
import kafka.server.KafkaConfig;
import kafka.server.PartitionFetchState;
import kafka.server.ReplicaFetcherManager;
import kafka.server.ReplicaFetcherThread;
import kafka.server.ReplicaManager;
import kafka.server.ReplicationQuotaManager;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.utils.Time;
import scala.Option;

/**
 * Kafka's ReplicaFetcherManager, with its ReplicaFetcherThreads never started: their work is called by us. javac cannot
 * subclass ReplicaFetcherThread (types that Scala has refined), so the manager's own way of making threads is replaced; a
 * thread stays for as long as it has a partition, as in AbstractFetcherManager.
 */
final class OldFetcher extends ReplicaFetcherManager {
  private final KafkaConfig config;
  private final ReplicaManager replicas;
  private final Metrics metrics;
  private final Time time;
  private final ReplicationQuotaManager quota;
  private final Fetching work = new Fetching();

  OldFetcher(KafkaConfig config, ReplicaManager replicas, Metrics metrics, Time time, ReplicationQuotaManager quota) {
    super(config, replicas, metrics, time, Option.empty(), quota);
    this.config = config;
    this.replicas = replicas;
    this.metrics = metrics;
    this.time = time;
    this.quota = quota;
  }

  // What Kafka calls.

  @Override
  public void addFetcherForPartitions(scala.collection.Map<TopicPartition, BrokerAndInitialOffset> partitions) {
    for (Map.Entry<TopicPartition, BrokerAndInitialOffset> entry : Scala.map(partitions).entrySet()) {
      BrokerEndPoint source = entry.getValue().broker();
      BrokerIdAndFetcherId key = new BrokerIdAndFetcherId(source.id(), 0);
      if (!threads().contains(key)) threads().put(key, thread(source));
      Object initialOffset = entry.getValue().initOffset();
      threads().apply(key).addPartitions(Scala.map(Map.of(entry.getKey(), initialOffset)));
      work.begin();
    }
  }

  /** With the partition goes what was under way for it: the specification has no late replies (KAFKA-18723), nor has this. */
  @Override
  public void removeFetcherForPartitions(scala.collection.Set<TopicPartition> partitions) {
    super.removeFetcherForPartitions(partitions);
    if (!partitions.isEmpty()) work.drop();
  }

  @Override
  public void shutdownIdleFetcherThreads() {
    for (Map.Entry<BrokerIdAndFetcherId, AbstractFetcherThread> entry : List.copyOf(Scala.map(threads()).entrySet()))
      if (entry.getValue().partitionCount() == 0) {
        entry.getValue().fetcherStats().unregister();
        threads().remove(entry.getKey());
      }
  }

  /** Threads that never ran cannot be waited for. */
  @Override
  public void closeAllFetchers() {
    work.drop();
  }

  private scala.collection.mutable.HashMap<BrokerIdAndFetcherId, AbstractFetcherThread> threads() {
    return Shape.threads(this);
  }

  private ReplicaFetcherThread thread(BrokerEndPoint source) {
    BlockingSend network = new BlockingSend() {
      @Override
      public ClientResponse sendRequest(AbstractRequest.Builder<? extends AbstractRequest> request) {
        return (ClientResponse) work.call(request);
      }

      @Override
      public void close() {}

      /** Since 2.0. */
      public void initiateClose() {}
    };
    return new ReplicaFetcherThread("fetcher", 0, source, config, replicas, metrics, time, quota, Option.apply(network));
  }

  // What we call.

  Fetching work() {
    return work;
  }

  String state(TopicPartition partition) {
    AbstractFetcherThread thread = threadOf(partition);
    if (work.halted() || thread == null) return "idle";
    if (work.dead()) return "dead";
    return ((PartitionFetchState) thread.partitionStates().stateValue(partition)).truncatingLog() ? "truncating" : "fetching";
  }

  int leader(TopicPartition partition) {
    return threadOf(partition).sourceBroker().id();
  }

  /** What doWork does first, alone: maybeTruncate. Returns the request that it makes, if any. */
  Object truncate(TopicPartition partition) {
    return work.run(threadOf(partition)::maybeTruncate);
  }

  /** While no partition is truncating, doWork is one fetch. */
  Object fetch(TopicPartition partition) {
    return work.run(threadOf(partition)::doWork);
  }

  private AbstractFetcherThread threadOf(TopicPartition partition) {
    for (AbstractFetcherThread thread : Scala.map(threads()).values())
      if (thread.partitionStates().contains(partition)) return thread;
    return null;
  }
}
