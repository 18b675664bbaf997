package leaderepoch;

import kafka.cluster.BrokerEndPoint;
import kafka.server.BlockingSend;
import kafka.server.RemoteLeaderEndPoint;
import kafka.server.ReplicaFetcherManager;
import kafka.server.ReplicaFetcherThread;
import kafka.server.ReplicaManager;
import org.apache.kafka.clients.FetchSessionHandler;
import org.apache.kafka.common.utils.LogContext;
import scala.Option;

/** How 3.4 makes its fetchers. */
abstract class Fetchers extends ReplicaFetcherManager {
  private final Parts parts;
  private final ReplicaManager replicas;

  Fetchers(Parts parts, ReplicaManager replicas) {
    super(parts.config(), replicas, parts.metrics(), parts.clock(), Option.empty(), Shape.noQuota(parts.metrics(), parts.clock()),
        () -> parts.cache().metadataVersion());
    this.parts = parts;
    this.replicas = replicas;
  }

  ReplicaFetcherThread thread(BrokerEndPoint source, BlockingSend network) {
    RemoteLeaderEndPoint leader = new RemoteLeaderEndPoint(
        "", network, new FetchSessionHandler(new LogContext(), source.id()), parts.config(), replicas,
        Shape.noQuota(parts.metrics(), parts.clock()), () -> parts.cache().metadataVersion());
    return new ReplicaFetcherThread(
        "fetcher", leader, parts.config(), failedPartitions(), replicas, Shape.noQuota(parts.metrics(), parts.clock()), "",
        () -> parts.cache().metadataVersion());
  }
}
