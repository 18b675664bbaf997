package leaderepoch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import kafka.cluster.Partition;
import kafka.server.KafkaConfig;
import kafka.server.ReplicaFetcherManager;
import kafka.server.ReplicaManager;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.metadata.FeatureLevelRecord;
import org.apache.kafka.common.metadata.PartitionRecord;
import org.apache.kafka.common.metadata.RegisterBrokerRecord;
import org.apache.kafka.common.metadata.RemoveTopicRecord;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.common.requests.ListOffsetsRequest;
import org.apache.kafka.common.requests.ListOffsetsResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.metadata.KRaftMetadataCache;
import org.apache.kafka.metadata.LeaderAndIsr;
import org.apache.kafka.metadata.LeaderRecoveryState;
import org.apache.kafka.server.DelayedActionQueue;
import org.apache.kafka.server.common.DirectoryEventHandler;
import org.apache.kafka.server.common.KRaftVersion;
import org.apache.kafka.server.common.MetadataVersion;
import org.apache.kafka.server.common.RequestLocal;
import org.apache.kafka.server.config.ReplicationQuotaManagerConfig;
import org.apache.kafka.server.partition.AlterPartitionManager;
import org.apache.kafka.server.purgatory.DelayedOperation;
import org.apache.kafka.server.purgatory.DelayedOperationPurgatory;
import org.apache.kafka.server.quota.QuotaFactory;
import org.apache.kafka.server.quota.QuotaType;
import org.apache.kafka.server.quota.ReplicationQuotaManager;
import org.apache.kafka.server.replica.Replica;
import org.apache.kafka.server.storage.log.FetchIsolation;
import org.apache.kafka.server.storage.log.FetchParams;
import org.apache.kafka.server.storage.log.FetchPartitionData;
import org.apache.kafka.server.util.timer.SystemTimer;
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
import scala.Tuple2;
import scala.runtime.BoxedUnit;

/**
 * Kafka's ReplicaManager, LogManager, Partition, UnifiedLog, epoch cache, metadata image and fetcher of 4.4.0. Ours are: the
 * records of the metadata log, the network (NewFetcher), AlterPartition (below), clock and scheduler (Clock, Schedule).
 */
final class NewBroker implements Broker {
  private static final long FOR_EVER_MS = Integer.MAX_VALUE;
  private static final Method MAYBE_EXPAND_ISR = maybeExpandIsr();

  private final int id;
  private final Path folder;
  private final Map<Integer, Long> brokerEpochs;
  private final KafkaConfig config;
  private final Schedule tasks = new Schedule();
  private final Clock clock = new Clock();
  private final Metrics metrics = new Metrics();
  private final KRaftMetadataCache cache;
  private final LogManager logs;
  private final Replicas replicas;
  private MetadataImage image = MetadataImage.EMPTY;
  private long metadataOffset;
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
    cache = new KRaftMetadataCache(id, () -> KRaftVersion.KRAFT_VERSION_0);
    try {
      logs = new LogManager(
          List.of(folder.toFile()), List.of(), cache, new LogConfig(config.extractLogConfigMap()), new CleanerConfig(false), 1,
          FOR_EVER_MS, FOR_EVER_MS, FOR_EVER_MS, FOR_EVER_MS, (int) FOR_EVER_MS, new ProducerStateManagerConfig((int) FOR_EVER_MS, false),
          (int) FOR_EVER_MS, tasks, stats, failures, clock, false, FOR_EVER_MS, (a, b, c, d, e) -> null);
      logs.startup(Set.of(setup.topic()));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    Replicas.making = this;
    replicas = new Replicas(this, stats, failures);
    learn(new FeatureLevelRecord().setName(MetadataVersion.FEATURE_NAME).setFeatureLevel(MetadataVersion.latestProduction().featureLevel()));
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
      if (!Files.exists(file)) Files.writeString(file, "version=1\nnode.id=" + id + "\ncluster.id=c\ndirectory.id=" + directory(id) + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Uuid directory(int broker) {
    return new Uuid(1, 1000 + broker);
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
    if (image.topics().getTopic(topicId) != null) learn(new RemoveTopicRecord().setTopicId(topicId));
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

  /** Whatever the partition was, this record says what it is now: epochs may have been missed. */
  @Override
  public Heard hear(Election election) {
    tick();
    List<ApiMessage> records = new ArrayList<>();
    if (image.topics().getTopic(topicId) == null) records.add(new TopicRecord().setName(setup.topic()).setTopicId(topicId));
    records.add(new PartitionRecord()
        .setPartitionId(0).setTopicId(topicId).setReplicas(setup.brokers()).setIsr(election.isr()).setLeader(election.leader())
        .setLeaderEpoch(election.epoch()).setPartitionEpoch(election.version())
        .setDirectories(setup.brokers().stream().map(NewBroker::directory).toList()));
    learn(records.toArray(ApiMessage[]::new));
    boolean anew = replicas.fetcher().work().takeBegunAnew();
    // An empty log has no epoch to tell: the fetcher cuts it to its high watermark first, and asks nobody, unless it still waits.
    boolean cut = anew && fetchState().equals("truncating") && !replicas.fetcher().work().busy();
    if (cut && replicas.fetcher().truncate(partition) != null) throw new IllegalStateException("it asked after all");
    return new Heard(anew, cut);
  }

  void hearOfRegistrations() {
    List<ApiMessage> records = new ArrayList<>();
    brokerEpochs.forEach((broker, epoch) -> records.add(new RegisterBrokerRecord()
        .setBrokerId(broker).setBrokerEpoch(epoch).setIncarnationId(new Uuid(3, epoch)).setFenced(false)
        .setLogDirs(List.of(directory(broker)))
        .setEndPoints(new RegisterBrokerRecord.BrokerEndpointCollection(List.of(
            new RegisterBrokerRecord.BrokerEndpoint().setName("PLAINTEXT").setHost("broker" + broker).setPort(9092)).iterator()))));
    learn(records.toArray(ApiMessage[]::new));
  }

  /** Source: BrokerMetadataPublisher.onMetadataUpdate. */
  private void learn(ApiMessage... records) {
    MetadataDelta delta = new MetadataDelta.Builder().setImage(image).build();
    for (ApiMessage message : records) delta.replay(message);
    metadataOffset += records.length;
    image = delta.apply(new MetadataProvenance(metadataOffset, 1, 0L, true));
    cache.setImage(image);
    if (delta.topicsDelta() != null) replicas.applyDelta(delta.topicsDelta(), image);
  }

  /** AlterPartition: what is not let through just now was not attempted. */
  private final class IsrByAlterPartition implements AlterPartitionManager {
    @Override
    public CompletableFuture<LeaderAndIsr> submit(org.apache.kafka.server.common.TopicIdPartition topicPartition, LeaderAndIsr wanted) {
      List<Integer> isr = List.copyOf(wanted.isr());
      int version = setup.isrStore().change(id, wanted.partitionEpoch(), isr);
      if (version < 0) return CompletableFuture.failedFuture(Errors.OPERATION_NOT_ATTEMPTED.exception());
      return CompletableFuture.completedFuture(
          new LeaderAndIsr(wanted.leader(), wanted.leaderEpoch(), isr, LeaderRecoveryState.RECOVERED, version));
    }

    @Override
    public void start() {}

    @Override
    public void shutdown() {}
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
    Object further = replicas.fetcher().work().deliver(clientResponse(ApiKeys.FETCH, (AbstractResponse) reply.raw()));
    // After "out of range" the fetcher asks for the leader's end and, if that is not below its own, for the start.
    while (further != null) {
      long wanted = ((ListOffsetsRequest.Builder) further).build().data().topics().get(0).partitions().get(0).timestamp();
      long offset = wanted == ListOffsetsRequest.LATEST_TIMESTAMP ? reply.logEnd() : 0;
      ListOffsetsResponseData answer = new ListOffsetsResponseData().setTopics(List.of(
          new ListOffsetsResponseData.ListOffsetsTopicResponse().setName(partition.topic()).setPartitions(List.of(
              new ListOffsetsResponseData.ListOffsetsPartitionResponse().setPartitionIndex(0).setOffset(offset)))));
      further = replicas.fetcher().work().deliver(clientResponse(ApiKeys.LIST_OFFSETS, new ListOffsetsResponse(answer)));
    }
  }

  private static ClientResponse clientResponse(ApiKeys api, AbstractResponse body) {
    return new ClientResponse(new RequestHeader(api, api.latestVersion(), "", 1), null, "", 0, 0, false, null, null, body);
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
          responses.values().forEach(response -> told.accept(name(response.error)));
          return BoxedUnit.UNIT;
        },
        stats -> BoxedUnit.UNIT, RequestLocal.noCaching(), scala.collection.immutable.Map$.MODULE$.empty(), (short) 0);
    replicas.tryCompleteActions();
  }

  @Override
  public Reply handle(int follower, Request request) {
    tick();
    Asked asked = (Asked) request.raw();
    FetchRequest.PartitionData question = asked.request().fetchData().get(partition);
    TopicIdPartition named = new TopicIdPartition(topicId, partition);
    if (leader() == NOBODY) return unheardOf(named);
    FetchPartitionData[] read = {null};
    FetchParams params = new FetchParams(follower, asked.brokerEpoch(), 0L, 1, Integer.MAX_VALUE, FetchIsolation.LOG_END, Optional.empty());
    replicas.fetchMessages(params, Scala.seq(new Tuple2<>(named, question)), QuotaFactory.UNBOUNDED_QUOTA, results -> {
      read[0] = Scala.list(results).get(0)._2();
      return BoxedUnit.UNIT;
    });
    replicas.tryCompleteActions();
    MemoryRecords records = inMemory(read[0].records);
    FetchResponseData.PartitionData data = new FetchResponseData.PartitionData()
        .setPartitionIndex(0).setErrorCode(read[0].error.code()).setHighWatermark(read[0].highWatermark)
        .setLogStartOffset(read[0].logStartOffset).setRecords(records);
    read[0].divergingEpoch.ifPresent(data::setDivergingEpoch);
    // A full reply holds every partition that was asked for; else the follower drops it in silence (FetchSessionHandler).
    LinkedHashMap<TopicIdPartition, FetchResponseData.PartitionData> all = new LinkedHashMap<>();
    all.put(named, data);
    String error = name(read[0].error);
    long end = error.equals("none") || error.equals("OFFSET_OUT_OF_RANGE") ? logEndOffset() : -1;
    EpochEnd diverging = read[0].divergingEpoch.map(e -> new EpochEnd(e.epoch(), e.endOffset())).orElse(EpochEnd.NONE);
    return new Reply(
        error, diverging, end, read[0].highWatermark, Records.read(records.batches()),
        FetchResponse.of(Errors.NONE, 0, 0, all, List.of()));
  }

  /** The partition is open, but for our eyes only: ReplicaManager.getPartitionOrException would not find it. */
  private static Reply unheardOf(TopicIdPartition partition) {
    LinkedHashMap<TopicIdPartition, FetchResponseData.PartitionData> all = new LinkedHashMap<>();
    all.put(partition, FetchResponse.partitionResponse(0, Errors.NOT_LEADER_OR_FOLLOWER));
    return new Reply(
        name(Errors.NOT_LEADER_OR_FOLLOWER), EpochEnd.NONE, -1, -1, List.of(), FetchResponse.of(Errors.NONE, 0, 0, all, List.of()));
  }

  private static MemoryRecords inMemory(org.apache.kafka.common.record.internal.BaseRecords records) {
    if (records instanceof MemoryRecords) return (MemoryRecords) records;
    try {
      ByteBuffer buffer = ByteBuffer.allocate(records.sizeInBytes());
      ((FileRecords) records).readInto(buffer, 0);
      return MemoryRecords.readableRecords(buffer);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
    try {
      MAYBE_EXPAND_ISR.invoke(hosted(), hosted().getReplica(follower).get());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Method maybeExpandIsr() {
    try {
      Method method = Partition.class.getDeclaredMethod("maybeExpandIsr", Replica.class);
      method.setAccessible(true);
      return method;
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e);
    }
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

  private static String name(Errors error) {
    switch (error) {
      case NONE:
        return "none";
      case NOT_LEADER_OR_FOLLOWER:
      case UNKNOWN_TOPIC_OR_PARTITION:
      case UNKNOWN_TOPIC_ID:
        return "NOT_LEADER";
      default:
        return error.name();
    }
  }

  /** ReplicaManager with our fetcher in it. */
  private static final class Replicas extends ReplicaManager {
    /** ReplicaManager's constructor asks for the fetcher manager, before any field of ours can be set. */
    static NewBroker making;

    Replicas(NewBroker broker, BrokerTopicStats stats, LogDirFailureChannel failures) {
      super(
          broker.config, broker.metrics, broker.clock, broker.tasks, broker.logs, Option.empty(), noQuotas(broker), broker.cache,
          failures, broker.new IsrByAlterPartition(), stats, purgatory("Produce"), purgatory("Fetch"), purgatory("DeleteRecords"),
          purgatory("RemoteFetch"), purgatory("RemoteListOffsets"), purgatory("ShareFetch"),
          () -> (Object) broker.brokerEpochs.get(broker.id), Option.empty(), DirectoryEventHandler.NOOP, new DelayedActionQueue());
    }

    /** Nothing here uses quotas of clients, whose managers have threads. */
    private static QuotaFactory.QuotaManagers noQuotas(NewBroker broker) {
      ReplicationQuotaManager none = new ReplicationQuotaManager(
          new ReplicationQuotaManagerConfig(1, 1), broker.metrics, QuotaType.FOLLOWER_REPLICATION, broker.clock);
      return new QuotaFactory.QuotaManagers(null, null, null, null, none, none, none, Optional.empty());
    }

    /** Without a clock: who waits, waits until it is answered. */
    private static <T extends DelayedOperation> Option<DelayedOperationPurgatory<T>> purgatory(String name) {
      return Option.apply(new DelayedOperationPurgatory<>(name, new SystemTimer(name), 0, 1, false, false));
    }

    @Override
    public ReplicaFetcherManager createReplicaFetcherManager(Metrics metrics, Time time, ReplicationQuotaManager quota) {
      NewBroker broker = making;
      return new NewFetcher(
          broker.config, this, metrics, time, quota, () -> broker.cache.metadataVersion(), () -> (Object) broker.brokerEpochs.get(broker.id),
          () -> broker.setup.lateReplies());
    }

    NewFetcher fetcher() {
      return (NewFetcher) replicaFetcherManager();
    }
  }
}
