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
import kafka.cluster.Partition;
import kafka.cluster.Replica;
import kafka.log.LogManager;
import kafka.server.BrokerTopicStats;
import kafka.server.KafkaConfig;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.LeaderAndIsrRequestData.LeaderAndIsrPartitionState;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.UpdateMetadataRequestData.UpdateMetadataBroker;
import org.apache.kafka.common.message.UpdateMetadataRequestData.UpdateMetadataEndpoint;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.FileRecords;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.LeaderAndIsrRequest;
import org.apache.kafka.common.requests.ListOffsetsRequest;
import org.apache.kafka.common.requests.ListOffsetsResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.UpdateMetadataRequest;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import scala.Option;
import scala.runtime.BoxedUnit;

/**
 * Kafka's ReplicaManager, LogManager, Partition, log, epoch cache and fetcher of 2.8 to 3.9, with a controller in ZooKeeper.
 * Ours are: LeaderAndIsr requests, the network (MiddleFetcher), what answers a leader's change of the ISR (Replicas), clock and
 * scheduler (Clock, Schedule). What a release has in a shape of its own is in its folder: Shape, Replicas, Fetchers.
 */
final class MiddleBroker implements Broker {
  private static final int CONTROLLER = 0;
  /** Of LeaderAndIsr and UpdateMetadata: with ids of topics. All of these releases know them. */
  private static final short LEADER_AND_ISR = 5;
  private static final short UPDATE_METADATA = 7;

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
  private Uuid topicId;

  MiddleBroker(int id, Path folder, Release.Setup setup) {
    this.id = id;
    this.folder = folder;
    this.setup = setup;
    config = config();
    createFolder();
    BrokerTopicStats stats = Shape.stats();
    logs = Shape.logs(config, folder.toFile(), tasks, clock, stats);
    replicas = new Replicas(new Parts(
        id, config, metrics, clock, tasks, stats, logs, Shape.cache(id, config, everybodyIsAlive(setup.brokers())),
        () -> this.setup.isrStore(), this::hosted, () -> this.setup.lateReplies()));
    host(setup);
  }

  private KafkaConfig config() {
    Properties properties = new Properties();
    properties.put("zookeeper.connect", "none:1");
    properties.put("broker.id", "" + id);
    properties.put("log.dirs", folder.toString());
    properties.put("min.insync.replicas", "" + setup.minIsr());
    properties.put("log.index.size.max.bytes", "4096");
    properties.put("log.segment.delete.delay.ms", "1");
    properties.put("log.cleaner.enable", "false");
    // A follower tries again in the step that says so, whatever time it is.
    properties.put("replica.fetch.backoff.ms", "0");
    return KafkaConfig.fromProps(properties);
  }

  /** Followers take up only with a leader that the metadata cache knows to be alive: ReplicaManager.makeFollowers. */
  private static UpdateMetadataRequest everybodyIsAlive(List<Integer> brokers) {
    List<UpdateMetadataBroker> alive = new ArrayList<>();
    for (int broker : brokers)
      alive.add(new UpdateMetadataBroker().setId(broker).setEndpoints(List.of(new UpdateMetadataEndpoint()
          .setHost("broker" + broker).setPort(9092).setSecurityProtocol(SecurityProtocol.PLAINTEXT.id)
          .setListener(ListenerName.forSecurityProtocol(SecurityProtocol.PLAINTEXT).value()))));
    return new UpdateMetadataRequest.Builder(UPDATE_METADATA, CONTROLLER, 1, 1L, List.of(), alive, Map.of()).build();
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
    topicId = new Uuid(2, next.topic().hashCode());
    replicas.open(partition, topicId);
  }

  @Override
  public void reuse(Release.Setup next) {
    tick();
    replicas.forget(partition);
    tick();
    tasks.run("kafka-delete-logs");
    host(next);
  }

  @Override
  public void stop() {
    replicas.fetcher().work().lose();
    replicas.shutdown(false);
    Shape.close(logs);
    metrics.close();
  }

  private void tick() {
    clock.advance(config.replicaLagTimeMaxMs() + 1);
  }

  // The controller.

  @Override
  public Heard hear(Election election) {
    tick();
    LeaderAndIsrPartitionState state = new LeaderAndIsrPartitionState()
        .setTopicName(partition.topic()).setPartitionIndex(0).setControllerEpoch(1).setLeader(election.leader())
        .setLeaderEpoch(election.epoch()).setIsr(election.isr()).setReplicas(setup.brokers());
    LeaderAndIsrRequest request = new LeaderAndIsrRequest.Builder(
        LEADER_AND_ISR, CONTROLLER, 1, 1L, List.of(Shape.withVersion(state, election.version())), Map.of(partition.topic(), topicId),
        Set.<Node>of()).build();
    Map<Errors, Integer> errors = replicas.becomeLeaderOrFollower(0, request, (leaders, followers) -> BoxedUnit.UNIT).errorCounts();
    if (!errors.keySet().equals(Set.of(Errors.NONE))) throw new Refused("Kafka refuses the news: " + errors.keySet());
    boolean anew = replicas.fetcher().work().takeBegunAnew();
    // An empty log has no epoch to tell: the fetcher cuts it to its high watermark first, and asks nobody.
    boolean cut = anew && fetchState().equals("truncating") && !replicas.fetcher().work().busy();
    if (cut && replicas.fetcher().truncate(partition) != null) throw new IllegalStateException("it asked after all");
    return new Heard(anew, cut);
  }

  // The follower.

  @Override
  public Request send(String type) {
    tick();
    FetchRequest.Builder raw = (FetchRequest.Builder) replicas.fetcher().fetch(partition);
    if (raw == null) throw new Refused("Kafka's fetcher makes no request now");
    FetchRequest.PartitionData question = raw.fetchData().get(partition);
    return new Request(
        type, leader(), question.currentLeaderEpoch.orElse(-1), question.fetchOffset, question.lastFetchedEpoch.orElse(-1), raw);
  }

  @Override
  public void deliver(Reply reply) {
    tick();
    Object further = replicas.fetcher().work().deliver(clientResponse(ApiKeys.FETCH, (AbstractResponse) reply.raw()));
    // After "out of range" the fetcher asks for the leader's end and, if that is not below its own, for the start.
    while (further != null) {
      long wanted = ((ListOffsetsRequest.Builder) further).build().topics().get(0).partitions().get(0).timestamp();
      long offset = wanted == ListOffsetsRequest.LATEST_TIMESTAMP ? reply.logEnd() : 0;
      ListOffsetsResponse answer = new ListOffsetsResponse(new ListOffsetsResponseData().setTopics(List.of(
          new ListOffsetsResponseData.ListOffsetsTopicResponse().setName(partition.topic()).setPartitions(List.of(
              new ListOffsetsResponseData.ListOffsetsPartitionResponse().setPartitionIndex(0).setOffset(offset))))));
      further = replicas.fetcher().work().deliver(clientResponse(ApiKeys.LIST_OFFSETS, answer));
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
    replicas.append(partition, Shape.batch(Records.one(recordId)), acks, error -> told.accept(ErrorNames.of(error.name())));
    replicas.tryCompleteActions();
  }

  /** What ReplicaManager read for a fetch. */
  record Read(Errors error, long hw, long logStart, EpochEnd diverging, MemoryRecords records) {
    static Read of(Errors error, long hw, long logStart, EpochEnd diverging, org.apache.kafka.common.record.Records records) {
      return new Read(error, hw, logStart, diverging, inMemory(records));
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
  }

  @Override
  public Reply handle(int follower, Request request) {
    tick();
    Read read = leader() == NOBODY ? unheardOf() : replicas.read(follower, partition, topicId, (FetchRequest.Builder) request.raw());
    replicas.tryCompleteActions();
    String error = ErrorNames.of(read.error().name());
    long end = error.equals("none") || error.equals("OFFSET_OUT_OF_RANGE") ? logEndOffset() : -1;
    return new Reply(
        error, read.diverging(), end, read.hw(), Records.read(read.records().batches()), Shape.response(partition, topicId, read));
  }

  /** The partition is open, but for our eyes only: ReplicaManager.getPartitionOrException would not find it. */
  private static Read unheardOf() {
    return Read.of(Errors.NOT_LEADER_OR_FOLLOWER, -1, -1, EpochEnd.NONE, MemoryRecords.EMPTY);
  }

  /**
   * By now no member of the ISR has fetched for long; all but this one are said to have kept up. A follower that has all
   * that the leader has is in sync however long ago it fetched (Partition.isFollowerOutOfSync), and stays.
   */
  @Override
  public void shrinkIsr(int follower) {
    tick();
    for (Replica remote : Scala.iterable(hosted().remoteReplicas()))
      if (isr().contains(remote.brokerId()) && remote.brokerId() != follower)
        Shape.keptUp(remote, clock.milliseconds(), logEndOffset());
    hosted().maybeShrinkIsr();
  }

  /** Tried once more for the last fetch, as when it was handled. */
  @Override
  public void expandIsr(int follower) {
    tick();
    Shape.maybeExpandIsr(hosted(), hosted().getReplica(follower).get(), clock.milliseconds());
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
    Shape.flush(hosted());
  }

  // What can be seen.

  private Partition hosted() {
    return replicas.onlinePartition(partition).get();
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
    return hosted().localLogOrException().highWatermark();
  }

  @Override
  public long logEndOffset() {
    return hosted().localLogOrException().logEndOffset();
  }

  @Override
  public List<Entry> log() {
    List<Entry> entries = new ArrayList<>();
    for (FileRecords segment : Shape.segments(hosted())) entries.addAll(Records.read(segment.batches()));
    return entries;
  }

  @Override
  public List<EpochStart> epochCache() {
    return Shape.epochs(hosted());
  }

  @Override
  public List<Integer> isr() {
    List<Integer> isr = new ArrayList<>();
    if (role().equals("leader")) for (Object member : Scala.iterable(hosted().inSyncReplicaIds())) isr.add((Integer) member);
    return isr;
  }

  @Override
  public Map<Integer, Long> remoteLeo() {
    Map<Integer, Long> offsets = new HashMap<>();
    if (role().equals("leader"))
      for (Replica remote : Scala.iterable(hosted().remoteReplicas())) offsets.put(remote.brokerId(), Shape.logEndOffset(remote));
    return offsets;
  }

  @Override
  public long epochStart() {
    return Shape.epochStart(hosted());
  }

  @Override
  public Path folder() {
    return folder;
  }
}
