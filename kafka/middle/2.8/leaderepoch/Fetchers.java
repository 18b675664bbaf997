package leaderepoch;

import kafka.cluster.BrokerEndPoint;
import kafka.server.BlockingSend;
import kafka.server.ReplicaFetcherManager;
import kafka.server.ReplicaFetcherThread;
import kafka.server.ReplicaManager;
import scala.Option;

/** How 2.8 makes its fetchers. */
abstract class Fetchers extends ReplicaFetcherManager {
  private final Parts parts;
  private final ReplicaManager replicas;

  Fetchers(Parts parts, ReplicaManager replicas) {
    super(parts.config(), replicas, parts.metrics(), parts.clock(), Option.empty(), Shape.noQuota(parts.metrics(), parts.clock()));
    this.parts = parts;
    this.replicas = replicas;
  }

  ReplicaFetcherThread thread(BrokerEndPoint source, BlockingSend network) {
    return new ReplicaFetcherThread(
        "fetcher", 0, source, parts.config(), failedPartitions(), replicas, parts.metrics(), parts.clock(),
        Shape.noQuota(parts.metrics(), parts.clock()), Option.apply(network));
  }
}
