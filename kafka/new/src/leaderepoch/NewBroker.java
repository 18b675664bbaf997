package leaderepoch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.Consumer;
import kafka.cluster.Partition;
import kafka.server.KafkaConfig;
import kafka.server.ReplicaManager;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.ListOffsetsRequest;
import org.apache.kafka.server.common.RequestLocal;
import org.apache.kafka.server.replica.Replica;
import org.apache.kafka.server.storage.log.FetchPartitionData;
import org.apache.kafka.storage.internals.checkpoint.LazyOffsetCheckpoints;
import org.apache.kafka.storage.internals.epoch.LeaderEpochFileCache;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.CleanerConfig;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.LogManager;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;
import scala.Option;
import scala.runtime.BoxedUnit;

/**
 * Kafka's ReplicaManager, LogManager, Partition, UnifiedLog, epoch cache, metadata image and fetcher of 4.4.0. Ours are: the
 * records of the metadata log (Metadata), the network (NewFetcher), AlterPartition (Replicas), clock and scheduler (Clock, Schedule).
 */
final class NewBroker implements Broker {
  private static final long FOR_EVER_MS = Integer.MAX_VALUE;
  private static final Method MAYBE_EXPAND_ISR = Hidden.method(Partition.class, "maybeExpandIsr", Replica.class);

  private final int id;
  private final Path folder;
  private final Map<Integer, Long> brokerEpochs;
  private final KafkaConfig config;
  private final Schedule tasks = new Schedule();
  private final Clock clock = new Clock();
  private final Metrics metrics = new Metrics();
  private final Metadata metadata;
  private final LogManager logs;
  private final Replicas replicas;
  private Release.Setup setup;
  private TopicPartition partition;
  private Uuid topicId;

  NewBroker(int id, Path folder, Release.Setup setup, Map<Integer, Long> brokerEpochs) {
    this.id = id;
    this.folder = folder;
    this.brokerEpochs = brokerEpochs;
    this.setup = setup;
    config = config();
    writeMetaProperties();
    BrokerTopicStats stats = new BrokerTopicStats();
    LogDirFailureChannel failures = new LogDirFailureChannel(1);
    metadata = new Metadata(id);
    try {
      logs = new LogManager(
          List.of(folder.toFile()), List.of(), metadata.cache(), new LogConfig(config.extractLogConfigMap()), new CleanerConfig(false), 1,
          FOR_EVER_MS, FOR_EVER_MS, FOR_EVER_MS, FOR_EVER_MS, (int) FOR_EVER_MS, new ProducerStateManagerConfig((int) FOR_EVER_MS, false),
          (int) FOR_EVER_MS, tasks, stats, failures, clock, false, FOR_EVER_MS, (a, b, c, d, e) -> null);
      logs.startup(Set.of(setup.topic()));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    replicas = new Replicas(new Parts(
        id, config, metrics, clock, tasks, stats, failures, logs, metadata.cache(), () -> this.setup.isrStore(),
        () -> brokerEpochs.get(id), () -> this.setup.lateReplies()));
    metadata.begin(replicas::applyDelta);
    host(setup);
  }

  private KafkaConfig config() {
    Properties properties = new Properties();
    properties.put("process.roles", "broker");
    properties.put("node.id", "" + id);
    properties.put("controller.quorum.voters", "1000@127.0.0.1:9");
    properties.put("controller.listener.names", "CONTROLLER");
    properties.put("listeners", "PLAINTEXT://127.0.0.1:9092");
    properties.put("log.dirs", folder.toString());
    properties.put("min.insync.replicas", "" + setup.minIsr());
    properties.put("log.index.size.max.bytes", "4096");
    properties.put("log.segment.delete.delay.ms", "1");
    properties.put("replica.fetch.backoff.ms", "0");
    return KafkaConfig.fromProps(properties);
  }

  /** Names the folder, as `kafka-storage format` does; it is kept through crashes. */
  private void writeMetaProperties() {
    try {
      Files.createDirectories(folder);
      Path file = folder.resolve("meta.properties");
      if (!Files.exists(file)) Files.writeString(file, "version=1\nnode.id=" + id + "\ncluster.id=c\ndirectory.id=" + Metadata.directory(id) + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Opens the replica at once, as a broker does when it first hears of the partition, so that its log and its high
   * watermark can be seen before.
   */
  private void host(Release.Setup next) {
    setup = next;
    tasks.holdEpochFiles(next.lateEpochFile());
    partition = new TopicPartition(next.topic(), 0);
    topicId = new Uuid(2, next.topic().hashCode());
    replicas.createPartition(partition).createLogIfNotExists(
        false, false, new LazyOffsetCheckpoints(Scala.map(replicas.highWatermarkCheckpoints())), Option.apply(topicId), Option.empty());
  }

  @Override
  public void reuse(Release.Setup next) {
    tick();
    metadata.remove(topicId);
    clock.advance(logs.currentDefaultConfig().fileDeleteDelayMs + 1);
    tasks.run("kafka-delete-logs");
    host(next);
  }

  @Override
  public void stop() {
    replicas.fetcher().work().lose();
    replicas.shutdown(false);
    try {
      logs.shutdown();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    metrics.close();
  }

  private void tick() {
    clock.advance(config.replicaLagTimeMaxMs() + 1);
  }

  // The controller.

  @Override
  public Heard hear(Election election) {
    tick();
    metadata.elect(setup.topic(), topicId, setup.brokers(), election);
    boolean anew = replicas.fetcher().work().takeBegunAnew();
    // An empty log has no epoch to tell: the fetcher cuts it to its high watermark first, and asks nobody, unless it still waits.
    boolean cut = anew && fetchState().equals("truncating") && !replicas.fetcher().work().busy();
    if (cut && replicas.fetcher().truncate(partition) != null) throw new IllegalStateException("it asked after all");
    return new Heard(anew, cut);
  }

  void hearOfRegistrations() {
    metadata.register(brokerEpochs);
  }

  // The follower.

  @Override
  public Request send(String type) {
    tick();
    Object raw = replicas.fetcher().fetch(partition);
    if (raw == null) throw new Refused("Kafka's fetcher makes no request now");
    FetchRequest.PartitionData question = ((FetchRequest.Builder) raw).fetchData().get(partition);
    return new Request(
        type, replicas.fetcher().leader(partition), question.currentLeaderEpoch.orElse(-1), question.fetchOffset,
        question.lastFetchedEpoch.orElse(-1), new Asked((FetchRequest.Builder) raw, brokerEpochs.get(id)));
  }

  /** A Fetch carries the sender's broker epoch: its registration (KIP-903). */
  private record Asked(FetchRequest.Builder request, long brokerEpoch) {}

  @Override
  public void deliver(Reply reply) {
    tick();
    Object further = replicas.fetcher().work().deliver(Wire.received(ApiKeys.FETCH, (AbstractResponse) reply.raw()));
    // After "out of range" the fetcher asks for the leader's end and, if that is not below its own, for the start.
    while (further != null) {
      AbstractResponse answer = Wire.offset(partition, (ListOffsetsRequest.Builder) further, reply.logEnd());
      further = replicas.fetcher().work().deliver(Wire.received(ApiKeys.LIST_OFFSETS, answer));
    }
  }

  @Override
  public void lose() {
    replicas.fetcher().work().lose();
  }

  // The leader.

  @Override
  public void write(int recordId, short acks, Consumer<String> told) {
    tick();
    replicas.appendRecords(
        FOR_EVER_MS, acks, false, AppendOrigin.CLIENT,
        new scala.collection.immutable.Map.Map1<>(new TopicIdPartition(topicId, partition), Records.one(recordId)),
        responses -> {
          responses.values().forEach(response -> told.accept(ErrorNames.of(response.error.name())));
          return BoxedUnit.UNIT;
        },
        stats -> BoxedUnit.UNIT, RequestLocal.noCaching(), scala.collection.immutable.Map$.MODULE$.empty(), (short) 0);
    replicas.tryCompleteActions();
  }

  @Override
  public Reply handle(int follower, Request request) {
    tick();
    Asked asked = (Asked) request.raw();
    TopicIdPartition named = new TopicIdPartition(topicId, partition);
    if (leader() == NOBODY) return Wire.unheardOf(named);
    FetchPartitionData read = replicas.read(follower, asked.brokerEpoch(), named, asked.request().fetchData().get(partition));
    return Wire.reply(named, read, logEndOffset());
  }

  /**
   * By now no member of the ISR has fetched for long; all but this one are said to have kept up. A follower that has all
   * that the leader has is in sync however long ago it fetched (ReplicaState.isCaughtUp), and stays.
   */
  @Override
  public void shrinkIsr(int follower) {
    tick();
    for (Replica remote : Scala.iterable(hosted().remoteReplicas()))
      if (isr().contains(remote.brokerId()) && remote.brokerId() != follower)
        remote.resetReplicaState(clock.milliseconds(), logEndOffset(), false, true);
    hosted().maybeShrinkIsr();
  }

  /** Tried once more for the last fetch, as when it was handled: a private method. */
  @Override
  public void expandIsr(int follower) {
    tick();
    Hidden.call(MAYBE_EXPAND_ISR, hosted(), hosted().getReplica(follower).get());
  }

  @Override
  public void checkpointHighWatermark() {
    replicas.checkpointHighWatermarks();
  }

  @Override
  public void flushEpochFile() {
    tasks.runEpochFile(partition.toString());
  }

  @Override
  public void flush() {
    local().flush(false);
  }

  // What can be seen.

  private Partition hosted() {
    return replicas.onlinePartition(partition).get();
  }

  private UnifiedLog local() {
    return hosted().log().get();
  }

  @Override
  public String role() {
    if (hosted().isLeader()) return "leader";
    return leader() == NOBODY ? "starting" : "follower";
  }

  @Override
  public int leader() {
    Option<Object> leader = hosted().leaderReplicaIdOpt();
    return leader.isDefined() ? (Integer) leader.get() : NOBODY;
  }

  /** Kafka begins at -1, the spec at 0. */
  @Override
  public int leaderEpoch() {
    return Math.max(0, hosted().getLeaderEpoch());
  }

  @Override
  public String fetchState() {
    return role().equals("follower") ? replicas.fetcher().state(partition) : "idle";
  }

  @Override
  public long hw() {
    return local().highWatermark();
  }

  @Override
  public long logEndOffset() {
    return local().logEndOffset();
  }

  @Override
  public List<Entry> log() {
    List<Entry> entries = new ArrayList<>();
    for (LogSegment segment : local().logSegments()) entries.addAll(Records.read(segment.log().batches()));
    return entries;
  }

  @Override
  public List<EpochStart> epochCache() {
    LeaderEpochFileCache epochs = local().leaderEpochCache();
    return epochs.epochEntries().stream().map(entry -> new EpochStart(entry.epoch(), entry.startOffset())).toList();
  }

  @Override
  public List<Integer> isr() {
    if (!role().equals("leader")) return List.of();
    List<Integer> isr = new ArrayList<>();
    for (Object member : hosted().partitionState().isr()) isr.add((Integer) member);
    return isr;
  }

  @Override
  public Map<Integer, Long> remoteLeo() {
    Map<Integer, Long> offsets = new HashMap<>();
    if (role().equals("leader"))
      for (Replica remote : Scala.iterable(hosted().remoteReplicas())) offsets.put(remote.brokerId(), remote.stateSnapshot().logEndOffset());
    return offsets;
  }

  @Override
  public long epochStart() {
    Option<Object> start = hosted().leaderEpochStartOffsetOpt();
    return start.isDefined() ? (Long) start.get() : -1;
  }

  @Override
  public Path folder() {
    return folder;
  }
}
