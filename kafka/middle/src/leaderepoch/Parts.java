package leaderepoch;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import kafka.cluster.Partition;
import kafka.log.LogManager;
import kafka.server.BrokerTopicStats;
import kafka.server.KafkaConfig;
import kafka.server.MetadataCache;
import org.apache.kafka.common.metrics.Metrics;

/** What a ReplicaManager is made of, and what its change of the ISR is held against. */
record Parts(
    int id, KafkaConfig config, Metrics metrics, Clock clock, Schedule tasks, BrokerTopicStats stats, LogManager logs,
    MetadataCache cache, Supplier<Release.IsrStore> isrStore, Supplier<Partition> hosted,
    BooleanSupplier keepsLateReplies) {}
