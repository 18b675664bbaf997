package leaderepoch;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import kafka.server.KafkaConfig;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.metadata.KRaftMetadataCache;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.LogManager;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;

/** What a ReplicaManager is made of, what its change of the ISR is held against, and in which epoch its broker is registered. */
record Parts(
    int id, KafkaConfig config, Metrics metrics, Clock clock, Schedule tasks, BrokerTopicStats stats, LogDirFailureChannel failures,
    LogManager logs, KRaftMetadataCache cache, Supplier<Release.IsrStore> isrStore, Supplier<Long> brokerEpoch,
    BooleanSupplier keepsLateReplies) {}
