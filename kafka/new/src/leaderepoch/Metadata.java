package leaderepoch;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metadata.FeatureLevelRecord;
import org.apache.kafka.common.metadata.PartitionRecord;
import org.apache.kafka.common.metadata.RegisterBrokerRecord;
import org.apache.kafka.common.metadata.RemoveTopicRecord;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.image.TopicsDelta;
import org.apache.kafka.metadata.KRaftMetadataCache;
import org.apache.kafka.server.common.KRaftVersion;
import org.apache.kafka.server.common.MetadataVersion;

/** What a broker has heard of the metadata log: its records are ours, image, delta and cache are Kafka's. */
final class Metadata {
  /** Who acts on what has changed: ReplicaManager.applyDelta. */
  interface Listener {
    void applyDelta(TopicsDelta delta, MetadataImage image);
  }

  private final KRaftMetadataCache cache;
  private MetadataImage image = MetadataImage.EMPTY;
  private long offset;
  private Listener listener = (delta, after) -> {};

  Metadata(int broker) {
    cache = new KRaftMetadataCache(broker, () -> KRaftVersion.KRAFT_VERSION_0);
  }

  KRaftMetadataCache cache() {
    return cache;
  }

  /** The broker's folder, as `kafka-storage format` names it. */
  static Uuid directory(int broker) {
    return new Uuid(1, 1000 + broker);
  }

  void begin(Listener acting) {
    listener = acting;
    learn(List.of(new FeatureLevelRecord()
        .setName(MetadataVersion.FEATURE_NAME).setFeatureLevel(MetadataVersion.latestProduction().featureLevel())));
  }

  /** Whatever the partition was, this record says what it is now: epochs may have been missed. */
  void elect(String topic, Uuid topicId, List<Integer> brokers, Broker.Election election) {
    List<ApiMessage> records = new ArrayList<>();
    if (!knows(topicId)) records.add(new TopicRecord().setName(topic).setTopicId(topicId));
    records.add(new PartitionRecord()
        .setPartitionId(0).setTopicId(topicId).setReplicas(brokers).setIsr(election.isr()).setLeader(election.leader())
        .setLeaderEpoch(election.epoch()).setPartitionEpoch(election.version())
        .setDirectories(brokers.stream().map(Metadata::directory).toList()));
    learn(records);
  }

  void register(Map<Integer, Long> brokerEpochs) {
    List<ApiMessage> records = new ArrayList<>();
    brokerEpochs.forEach((broker, epoch) -> records.add(new RegisterBrokerRecord()
        .setBrokerId(broker).setBrokerEpoch(epoch).setIncarnationId(new Uuid(3, epoch)).setFenced(false)
        .setLogDirs(List.of(directory(broker)))
        .setEndPoints(new RegisterBrokerRecord.BrokerEndpointCollection(List.of(
            new RegisterBrokerRecord.BrokerEndpoint().setName("PLAINTEXT").setHost("broker" + broker).setPort(9092)).iterator()))));
    learn(records);
  }

  void remove(Uuid topicId) {
    if (knows(topicId)) learn(List.of(new RemoveTopicRecord().setTopicId(topicId)));
  }

  private boolean knows(Uuid topicId) {
    return image.topics().getTopic(topicId) != null;
  }

  /** Source: BrokerMetadataPublisher.onMetadataUpdate. */
  private void learn(List<? extends ApiMessage> records) {
    MetadataDelta delta = new MetadataDelta.Builder().setImage(image).build();
    for (ApiMessage message : records) delta.replay(message);
    offset += records.size();
    image = delta.apply(new MetadataProvenance(offset, 1, 0L, true));
    cache.setImage(image);
    if (delta.topicsDelta() != null) listener.applyDelta(delta.topicsDelta(), image);
  }
}
