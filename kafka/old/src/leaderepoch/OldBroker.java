package leaderepoch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.Consumer;
import kafka.api.KAFKA_0_11_0_IV2$;
import kafka.cluster.Partition;
import kafka.cluster.Replica;
import kafka.log.Log;
import kafka.log.LogManager;
import kafka.log.LogSegment;
import kafka.server.BrokerTopicStats;
import kafka.server.FetchDataInfo;
import kafka.server.FetchPartitionData;
import kafka.server.KafkaConfig;
import kafka.server.LogReadResult;
import kafka.server.MetadataCache;
import kafka.server.QuotaFactory;
import kafka.server.ReplicaManager;
import kafka.server.epoch.EpochEntry;
import kafka.server.epoch.LeaderEpochFileCache;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.FileRecords;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.common.record.RecordBatch;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.EpochEndOffset;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.IsolationLevel;
import org.apache.kafka.common.requests.ListOffsetRequest;
import org.apache.kafka.common.requests.ListOffsetResponse;
import org.apache.kafka.common.requests.OffsetsForLeaderEpochRequest;
import org.apache.kafka.common.requests.OffsetsForLeaderEpochResponse;
import scala.Option;
import scala.Tuple2;
import scala.runtime.BoxedUnit;

/**
 * Kafka's ReplicaManager, LogManager, Partition, Log, epoch cache and fetcher of 0.11.0.3 to 2.0.1. Ours are: LeaderAndIsr
 * requests, the network (OldFetcher), ZooKeeper's compare-and-set (Replicas), clock and scheduler (Clock, Schedule).
 */
@SuppressWarnings({"unchecked", "rawtypes"})
final class OldBroker implements Broker {
  private static final int FOR_EVER_MS = Integer.MAX_VALUE;
  private static final int CONTROLLER = 0;

  private final int id;
  private final Path folder;
  private final KafkaConfig config;
  private final Schedule tasks = new Schedule();
  private final Clock clock = new Clock();
  private final Metrics metrics = new Metrics();
  private final LogManager logs;
  private final Replicas replicas;
  private Release.Setup setup;
  private TopicPartition partition;

  OldBroker(int id, Path folder, Release.Setup setup, Properties overrides) {
    this.id = id;
    this.folder = folder;
    config = config(id, folder, setup.minIsr(), overrides);
    createFolder();
    BrokerTopicStats stats = new BrokerTopicStats();
    logs = Shape.logs(config, folder.toFile(), tasks, clock, stats);
    MetadataCache cache = new MetadataCache(id);
    cache.updateCache(0, Shape.everybodyIsAlive(setup.brokers()));
    replicas = new Replicas(new Parts(id, config, metrics, clock, tasks, stats, logs, cache, () -> this.setup.isrStore()));
    host(setup);
  }

  static KafkaConfig config(int id, Path folder, int minIsr, Properties overrides) {
    Properties properties = new Properties();
    properties.put("zookeeper.connect", "none:1");
    properties.put("broker.id", "" + id);
    properties.put("log.dirs", folder.toString());
    properties.put("min.insync.replicas", "" + minIsr);
    properties.put("log.index.size.max.bytes", "4096");
    properties.put("log.segment.delete.delay.ms", "1");
    // A follower tries again in the step that says so, whatever time it is.
    properties.put("replica.fetch.backoff.ms", "0");
    properties.putAll(overrides);
    return KafkaConfig.fromProps(properties);
  }

  /** Source: ReplicaFetcherThread.shouldSendLeaderEpochRequest. */
  static boolean asksItsLeader(KafkaConfig config) {
    return config.interBrokerProtocolVersion().compareTo(KAFKA_0_11_0_IV2$.MODULE$) >= 0;
  }

  private void createFolder() {
    try {
      Files.createDirectories(folder);
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
    replicas.open(partition);
  }

  @Override
  public void reuse(Release.Setup next) {
    tick();
    replicas.fetcher().removeFetcherForPartitions(new scala.collection.immutable.Set.Set1<>(partition));
    replicas.fetcher().shutdownIdleFetcherThreads();
    replicas.stopReplica(partition, true);
    tick();
    tasks.run("kafka-delete-logs");
    host(next);
  }

  @Override
  public void stop() {
    replicas.fetcher().work().lose();
    replicas.shutdown(false);
    logs.shutdown();
    metrics.close();
  }

  private void tick() {
    clock.advance(config.replicaLagTimeMaxMs() + 1);
  }

  // The controller.

  @Override
  public Heard hear(Election election) {
    tick();
    Errors error = replicas.hear(partition, election, setup.brokers());
    if (error != Errors.NONE) throw new Refused("Kafka refuses the news: " + error);
    boolean anew = replicas.fetcher().work().takeBegunAnew();
    // Where it asks nobody, it truncates before it does anything else.
    boolean cut = anew && !asksItsLeader(config);
    if (cut && replicas.fetcher().truncate(partition) != null) throw new IllegalStateException("it asked after all");
    return new Heard(anew, cut);
  }

  // The follower.

  @Override
  public Request send(String type) {
    tick();
    boolean fetch = type.equals("FetchRequest");
    Object raw = fetch ? replicas.fetcher().fetch(partition) : replicas.fetcher().truncate(partition);
    if (raw == null) throw new Refused("Kafka's fetcher makes no request now");
    return new Request(type, replicas.fetcher().leader(partition), leaderEpoch(), fetch ? offsetOf(raw) : askedBy(raw), -1, raw);
  }

  private long offsetOf(Object raw) {
    return ((FetchRequest.Builder) raw).fetchData().get(partition).fetchOffset;
  }

  private long askedBy(Object raw) {
    OffsetsForLeaderEpochRequest request = ((OffsetsForLeaderEpochRequest.Builder) raw).build();
    return ((Map<TopicPartition, Integer>) request.epochsByTopicPartition()).get(partition);
  }

  @Override
  public void deliver(Reply reply) {
    tick();
    Object further = replicas.fetcher().work().deliver(Variants.clientResponse((AbstractResponse) reply.raw()));
    // After "out of range" the fetcher asks for the leader's end and, if that is not below its own, for the start.
    while (further != null) {
      long offset = wantsLatest((ListOffsetRequest.Builder) further) ? reply.logEnd() : 0;
      ListOffsetResponse response = new ListOffsetResponse(
          Map.of(partition, new ListOffsetResponse.PartitionData(Errors.NONE, RecordBatch.NO_TIMESTAMP, offset)));
      further = replicas.fetcher().work().deliver(Variants.clientResponse(response));
    }
  }

  private boolean wantsLatest(ListOffsetRequest.Builder request) {
    return ((Map<TopicPartition, Long>) request.build().partitionTimestamps()).get(partition) == ListOffsetRequest.LATEST_TIMESTAMP;
  }

  @Override
  public void lose() {
    replicas.fetcher().work().lose();
  }

  // The leader.

  @Override
  public void write(int recordId, short acks, Consumer<String> told) {
    tick();
    byte format = (Byte) replicas.getMagic(partition).get();
    MemoryRecords records = Records.one(format, recordId, leaderEpoch());
    replicas.append(partition, records, acks, error -> told.accept(ErrorNames.of(error.name())));
  }

  @Override
  public Reply handle(int follower, Request request) {
    tick();
    return request.type().equals("FetchRequest") ? handleFetch(follower, request) : handleOffsetsForLeaderEpoch(request);
  }

  private Reply handleFetch(int follower, Request request) {
    FetchRequest.Builder builder = (FetchRequest.Builder) request.raw();
    FetchPartitionData[] read = {null};
    replicas.fetchMessages(
        0L, follower, 1, Integer.MAX_VALUE, false, Scala.seq(new Tuple2<>(partition, builder.fetchData().get(partition))),
        QuotaFactory.UnboundedQuota$.MODULE$,
        (scala.Function1) results -> {
          read[0] = ((List<Tuple2<TopicPartition, FetchPartitionData>>) Scala.list((scala.collection.Seq) results)).get(0)._2();
          return BoxedUnit.UNIT;
        },
        IsolationLevel.READ_UNCOMMITTED);
    MemoryRecords records = inMemory(read[0].records());
    AbstractResponse response = Shape.fetchResponse(partition, read[0], records, builder.build().version());
    String error = ErrorNames.of(read[0].error().name());
    long end = error.equals("none") || error.equals("OFFSET_OUT_OF_RANGE") ? logEndOffset() : -1;
    return new Reply(error, EpochEnd.NONE, end, read[0].highWatermark(), Records.read(records.batches()), response);
  }

  private static MemoryRecords inMemory(org.apache.kafka.common.record.Records records) {
    if (records instanceof MemoryRecords) return (MemoryRecords) records;
    try {
      ByteBuffer buffer = ByteBuffer.allocate(records.sizeInBytes());
      ((FileRecords) records).readInto(buffer, 0);
      return MemoryRecords.readableRecords(buffer);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Reply handleOffsetsForLeaderEpoch(Request request) {
    OffsetsForLeaderEpochRequest question = ((OffsetsForLeaderEpochRequest.Builder) request.raw()).build();
    Map answers = Scala.map(replicas.lastOffsetForLeaderEpoch(Scala.map((Map) question.epochsByTopicPartition())));
    OffsetsForLeaderEpochResponse response = (OffsetsForLeaderEpochResponse) Shape.overTheWire(
        ApiKeys.OFFSET_FOR_LEADER_EPOCH, new OffsetsForLeaderEpochResponse(new HashMap(answers)), question.version());
    EpochEndOffset answer = response.responses().get(partition);
    EpochEnd end = new EpochEnd(Variants.epoch(answer), answer.endOffset());
    return new Reply(ErrorNames.of(answer.error().name()), end, -1, -1, List.of(), response);
  }

  /** By now no member of the ISR has fetched for long; all but this one are said to have kept up. */
  @Override
  public void shrinkIsr(int follower) {
    tick();
    for (Replica member : Scala.iterable(hosted().inSyncReplicas()))
      if (member.brokerId() != id && member.brokerId() != follower)
        member.resetLastCaughtUpTime(0L, clock.milliseconds(), clock.milliseconds());
    hosted().maybeShrinkIsr(config.replicaLagTimeMaxMs());
  }

  /** Tried once more for the last fetch, as when it was handled. */
  @Override
  public void expandIsr(int follower) {
    tick();
    Replica remote = hosted().getReplica(follower).get();
    FetchDataInfo fetched = new FetchDataInfo(remote.logEndOffset(), MemoryRecords.EMPTY, false, Option.empty());
    LogReadResult read = new LogReadResult(fetched, -1, -1, -1, -1, clock.milliseconds(), 0, Option.empty(), Option.empty());
    hosted().maybeExpandIsr(follower, read);
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
    local().flush();
  }

  // What can be seen.

  private Partition hosted() {
    return replicas.getPartition(partition).get();
  }

  private Replica replica() {
    return hosted().getReplica(id).get();
  }

  private Log local() {
    return replica().log().get();
  }

  @Override
  public String role() {
    if (replicas.fetcher().work().halted()) return "halted";
    if (hosted().leaderReplicaIfLocal().isDefined()) return "leader";
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
    return replicas.fetcher().state(partition);
  }

  @Override
  public long hw() {
    return replica().highWatermark().messageOffset();
  }

  @Override
  public long logEndOffset() {
    return local().logEndOffset();
  }

  @Override
  public List<Entry> log() {
    List<Entry> entries = new ArrayList<>();
    for (LogSegment segment : Scala.iterable(local().logSegments())) entries.addAll(Records.read(segment.log().batches()));
    return entries;
  }

  @Override
  public List<EpochStart> epochCache() {
    List<EpochStart> epochs = new ArrayList<>();
    for (EpochEntry entry : Scala.list(((LeaderEpochFileCache) local().leaderEpochCache()).epochEntries()))
      epochs.add(new EpochStart(entry.epoch(), entry.startOffset()));
    return epochs;
  }

  @Override
  public List<Integer> isr() {
    List<Integer> isr = new ArrayList<>();
    if (role().equals("leader")) for (Replica member : Scala.iterable(hosted().inSyncReplicas())) isr.add(member.brokerId());
    return isr;
  }

  @Override
  public Map<Integer, Long> remoteLeo() {
    Map<Integer, Long> offsets = new HashMap<>();
    if (role().equals("leader"))
      for (Replica remote : Scala.iterable(hosted().assignedReplicas()))
        if (remote.brokerId() != id) offsets.put(remote.brokerId(), remote.logEndOffset().messageOffset());
    return offsets;
  }

  @Override
  public long epochStart() {
    return Variants.epochStart(hosted());
  }

  @Override
  public Path folder() {
    return folder;
  }
}
