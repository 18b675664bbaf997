package leaderepoch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import leaderepoch.Broker.Election;

/**
 * The replica set: the actions of spec/LeaderEpoch.tla, each carried to the brokers that it concerns. The world is played
 * here (controller, network, clients, crashes); what a replica does about it, Kafka's own classes do.
 *
 * A guard stands here only where the world has it in its hands (a message must be under way, a member of the ISR must be
 * alive). Where Kafka itself would say no, it is asked.
 */
final class ReplicaSet {
  /** What a client was told. */
  record Acknowledged(int id, String acks) {}

  private interface Action {
    void take(List<String> args, Integer id);
  }

  private static final int NO_FLUSH = 0;

  private final Release release;
  private final Path root;
  private final Map<String, Action> actions = new TreeMap<>();
  private final Map<String, Integer> arity = new TreeMap<>();

  private int topics;
  private int folders;
  private Config config;
  private String topic;
  private Controller controller;
  private final Map<String, Member> members = new LinkedHashMap<>();
  private List<Acknowledged> told = new ArrayList<>();

  ReplicaSet(Release release, Path root) {
    this.release = release;
    this.root = root;
    action("Write", 2, (args, id) -> write(member(args, 0), args.get(1), id));
    action("BecomeLeader", 2, (args, id) -> becomeLeader(member(args, 0), number(args, 1)));
    action("BecomeFollower", 2, (args, id) -> becomeFollower(member(args, 0), number(args, 1)));
    action("SendOffsetsForLeaderEpoch", 1, (args, id) -> send(member(args, 0), "OffsetsForLeaderEpochRequest", "truncating"));
    action("HandleOffsetsForLeaderEpoch", 2, (args, id) -> handle(member(args, 0), member(args, 1), "OffsetsForLeaderEpochRequest"));
    action("HandleOffsetsForLeaderEpochResponse", 1, (args, id) -> deliver(member(args, 0), "OffsetsForLeaderEpochRequest"));
    action("SendFetch", 1, (args, id) -> send(member(args, 0), "FetchRequest", "fetching"));
    action("HandleFetch", 2, (args, id) -> handle(member(args, 0), member(args, 1), "FetchRequest"));
    action("HandleFetchResponse", 1, (args, id) -> deliver(member(args, 0), "FetchRequest"));
    action("LoseMessage", 1, (args, id) -> loseMessage(member(args, 0)));
    action("ShrinkIsr", 2, (args, id) -> shrinkIsr(member(args, 0), member(args, 1)));
    action("ExpandIsr", 2, (args, id) -> expandIsr(member(args, 0), member(args, 1)));
    action("Elect", 1, (args, id) -> elect(member(args, 0)));
    action("ElectUnclean", 1, (args, id) -> electUnclean(member(args, 0)));
    action("PartitionOffline", 0, (args, id) -> partitionOffline());
    action("CheckpointHighWatermark", 1, (args, id) -> checkpointHighWatermark(member(args, 0)));
    action("FlushEpochFile", 1, (args, id) -> flushEpochFile(member(args, 0)));
    action("Flush", 1, (args, id) -> flush(member(args, 0)));
    action("Crash", 1, (args, id) -> crash(member(args, 0), -1));
    action("PowerLoss", 2, (args, id) -> powerLoss(member(args, 0), number(args, 1)));
    action("Restart", 1, (args, id) -> restart(member(args, 0)));
  }

  /** All replicas up and empty, following the first leader in epoch 1, past whatever a new follower does first. */
  void reset(Config next) {
    boolean sameBrokers = config != null && config.replicas().equals(next.replicas()) && config.minIsr() == next.minIsr();
    for (Member m : members.values()) clear(m, sameBrokers);
    if (!sameBrokers) {
      members.clear();
      for (String name : next.replicas()) members.put(name, new Member(members.size() + 1, name));
    }
    config = next;
    topic = "t" + topics++;
    controller = new Controller(members.get(next.firstLeader()).number, numbers());
    for (Member m : members.values())
      if (m.broker == null) m.broker = release.start(m.number, newFolder(m), setup());
      else m.broker.reuse(setup());
    Member leader = members.get(next.firstLeader());
    leader.broker.hear(controller.newest());
    for (Member m : members.values()) if (m != leader) m.broker.hear(controller.newest());
    for (Member m : members.values()) if (m != leader) settle(m, leader);
  }

  private void clear(Member m, boolean keepBroker) {
    lose(m);
    boolean sound = m.alive() && !m.broker.fetchState().equals("dead");
    if (m.broker != null && !(keepBroker && sound)) stop(m);
    if (m.folder != null) Folders.delete(m.folder);
    m.folder = null;
    m.incarnation = 0;
    m.flushed = NO_FLUSH;
    m.underWay = null;
    m.waiting.clear();
  }

  /** The spec's first state has followers that fetch. */
  private void settle(Member f, Member leader) {
    for (int round = 0; f.broker.fetchState().equals("truncating"); round++) {
      if (round == 3) throw new IllegalStateException("an empty follower does not come to fetch");
      send(f, "OffsetsForLeaderEpochRequest", "truncating");
      handle(leader, f, "OffsetsForLeaderEpochRequest");
      deliver(f, "OffsetsForLeaderEpochRequest");
    }
  }

  /** Takes a step and returns what clients were told meanwhile. */
  List<Acknowledged> step(String name, List<String> args, Integer id) {
    Action action = actions.get(name);
    if (action == null) throw new Refused("there is no action " + name);
    String missing = release.unsupported().get(name);
    if (missing != null) throw new Refused(missing);
    if (args.size() != arity.get(name)) throw new Refused(name + " takes " + arity.get(name) + " arguments");
    if (config == null) throw new Refused("the cluster has not been reset yet");
    told = new ArrayList<>();
    Map<Member, Long> before = highWatermarks();
    action.take(args, id);
    for (Member m : members.values()) if (m.broker != null) m.flushed = Math.min(m.flushed, m.broker.logEndOffset());
    if (!config.lazyCheckpoint()) highWatermarks().forEach((m, hw) -> { if (!hw.equals(before.getOrDefault(m, hw))) m.broker.checkpointHighWatermark(); });
    return told;
  }

  // Clients.

  private void write(Member l, String acks, Integer id) {
    needs(id != null, "a record needs an id");
    needs(l.role().equals("leader"), l.name + " is not leader");
    needs(acks.equals("1") || acks.equals("all"), "acks are 1 or all");
    Member.Waiting waiting = new Member.Waiting(id, l.broker.logEndOffset());
    String[] outcome = {null};
    l.broker.write(id, (short) (acks.equals("1") ? 1 : -1), error -> {
      outcome[0] = error;
      l.waiting.remove(waiting);
      if (error.equals("none")) told.add(new Acknowledged(id, acks));
    });
    if (outcome[0] == null) l.waiting.add(waiting);
    else needs(outcome[0].equals("none") || l.broker.logEndOffset() > waiting.offset(), "Kafka refuses the write: " + outcome[0]);
    set(l);
  }

  // The controller's news.

  private Election news(Member r, int epoch) {
    needs(r.alive(), r.name + " is not up");
    Election election = controller.of(epoch);
    needs(election != null, "no election was held in epoch " + epoch);
    boolean newest = epoch == controller.newest().epoch();
    needs(newest || config.oldNews(), "only the newest election is news");
    needs(newest || !r.role().equals("starting"), "one that has just started is told the newest");
    needs(epoch > r.broker.leaderEpoch(), r.name + " has heard of epoch " + r.broker.leaderEpoch() + " already");
    return election;
  }

  private void becomeLeader(Member l, int epoch) {
    Election election = news(l, epoch);
    needs(election.leader() == l.number, l.name + " does not lead in epoch " + epoch);
    l.broker.hear(election);
    if (!lateReplies()) l.underWay = null;
    set(l);
  }

  private void becomeFollower(Member f, int epoch) {
    Election election = news(f, epoch);
    needs(election.leader() != f.number && election.leader() != Broker.NOBODY, "nobody else leads in epoch " + epoch);
    Broker.Heard heard = f.broker.hear(election);
    if (heard.anew() && !lateReplies()) f.underWay = null;
    if (heard.cut()) set(f);
  }

  // The network: one request per follower, which dies with its connection.

  private void send(Member f, String type, String state) {
    needs(f.role().equals("follower"), f.name + " is not a follower");
    needs(f.broker.fetchState().equals(state), f.name + "'s fetcher is " + f.broker.fetchState() + ", not " + state);
    needs(f.underWay == null, f.name + " has a request under way");
    needs(member(f.broker.leader()).alive(), "its leader is not up to be connected to");
    f.underWay = new Member.Message(f.broker.send(type));
  }

  private void handle(Member l, Member f, String type) {
    Member.Message message = underWay(f, type);
    needs(message.reply == null, "it has been handled");
    needs(message.request.leader() == l.number, "it is under way to another leader");
    needs(l.alive(), l.name + " is not up");
    message.reply = l.broker.handle(f.number, message.request);
    if (type.equals("FetchRequest") && message.reply.error().equals("none")) set(l);
  }

  private void deliver(Member f, String type) {
    Member.Message message = underWay(f, type);
    needs(message.reply != null, "it has not been handled yet");
    f.underWay = null;
    f.broker.deliver(message.reply);
    String error = message.reply.error();
    if (!f.alive()) dropConnections(f);
    else if (error.equals("none") || error.equals("OFFSET_OUT_OF_RANGE")) set(f);
  }

  private void loseMessage(Member f) {
    needs(f.underWay != null, f.name + " has nothing under way");
    lose(f);
  }

  private void lose(Member f) {
    f.underWay = null;
    if (f.broker != null) f.broker.lose();
  }

  private Member.Message underWay(Member f, String type) {
    needs(f.underWay != null && f.underWay.request.type().equals(type), f.name + " has no " + type + " under way");
    return f.underWay;
  }

  // The ISR: only the elected leader can change it.

  private void shrinkIsr(Member l, Member f) {
    needs(l.role().equals("leader"), l.name + " is not leader");
    needs(l != f && l.broker.isr().contains(f.number), f.name + " is not in its ISR");
    controller.allowing(l.number, () -> l.broker.shrinkIsr(f.number));
    needs(!l.broker.isr().contains(f.number), "the ISR stays as it is: " + l.name + " is not the elected leader, or sees no lag");
    set(l);
  }

  private void expandIsr(Member l, Member f) {
    needs(l.role().equals("leader"), l.name + " is not leader");
    needs(!l.broker.isr().contains(f.number), f.name + " is in its ISR");
    needs(l.broker.remoteLeo().get(f.number) >= 0, f.name + " has not fetched");
    controller.allowing(l.number, () -> l.broker.expandIsr(f.number));
    needs(l.broker.isr().contains(f.number), f.name + " is not let in: it is behind, or " + l.name + " is not the elected leader");
  }

  // The controller's decisions.

  private void elect(Member r) {
    Election now = controller.newest();
    List<Integer> alive = now.isr().stream().filter(n -> member(n).alive()).toList();
    needs(alive.contains(r.number), r.name + " is not a live member of the ISR");
    needs(r.number != now.leader() || !alive.equals(now.isr()), r.name + " leads, and the whole ISR is alive");
    controller.decide(r.number, alive);
  }

  private void electUnclean(Member r) {
    needs(r.alive(), r.name + " is not up");
    needsNoIsr();
    controller.decide(r.number, List.of(r.number));
  }

  private void partitionOffline() {
    needs(controller.newest().leader() != Broker.NOBODY, "it is offline");
    needsNoIsr();
    controller.decide(Broker.NOBODY, controller.newest().isr());
  }

  private void needsNoIsr() {
    needs(controller.newest().isr().stream().noneMatch(n -> member(n).alive()), "a member of the ISR is alive");
  }

  // Disk and machine.

  private void checkpointHighWatermark(Member r) {
    needs(r.alive(), r.name + " is not up");
    needs(config.lazyCheckpoint(), "the checkpoint follows each change at once");
    r.broker.checkpointHighWatermark();
  }

  private void flushEpochFile(Member r) {
    needs(r.alive(), r.name + " is not up");
    needs(config.lateEpochFile(), "the epoch file follows each change at once");
    r.broker.flushEpochFile();
  }

  private void flush(Member r) {
    needs(r.alive(), r.name + " is not up");
    r.broker.flush();
    r.flushed = r.broker.logEndOffset();
  }

  private void powerLoss(Member r, int n) {
    needs(r.alive(), r.name + " is not up");
    needs(n >= r.flushed, r.flushed + " records have been flushed");
    needs(n <= r.broker.logEndOffset(), "there are only " + r.broker.logEndOffset() + " records");
    crash(r, n);
  }

  /** Kills the broker; with n, the machine too. */
  private void crash(Member r, int n) {
    needs(r.alive(), r.name + " is not up");
    dropConnections(r);
    r.folder = newFolder(r);
    Folders.copy(r.broker.folder(), r.folder);
    stop(r);
    r.waiting.clear();
    if (n < 0) return;
    Folders.cut(partitionFolder(r), n);
    r.flushed = n;
  }

  /** What is under way from a broker that has gone, and to it, dies. */
  private void dropConnections(Member r) {
    for (Member m : members.values()) if (m != r && m.underWay != null && m.underWay.request.leader() == r.number) lose(m);
    lose(r);
  }

  private void restart(Member r) {
    needs(r.broker == null, r.name + " is not down");
    needs(controller.newest().leader() != r.number || config.resumeSameEpoch(), "a leader was seen to die: elect another first");
    r.broker = release.start(r.number, r.folder, setup());
    r.folder = null;
    r.incarnation++;
  }

  private void stop(Member m) {
    Path folder = m.broker.folder();
    m.broker.stop();
    m.broker = null;
    Folders.delete(folder);
  }

  /** Ends all threads and removes what is on disk. */
  void close() {
    for (Member m : members.values()) {
      lose(m);
      if (m.broker != null) stop(m);
    }
  }

  // What can be seen.

  Map<String, Object> observe() {
    if (config == null) throw new Refused("the cluster has not been reset yet");
    return new Observation(release, topic, controller, members, config.oldNews(), this::name).fields();
  }

  private String name(int number) {
    return number == Broker.NOBODY ? "none" : member(number).name;
  }

  // Small things.

  /** This step has set r's high watermark, perhaps to what it was: an eager checkpoint follows. */
  private void set(Member r) {
    if (!config.lazyCheckpoint() && r.alive()) r.broker.checkpointHighWatermark();
  }

  private Map<Member, Long> highWatermarks() {
    Map<Member, Long> all = new LinkedHashMap<>();
    for (Member m : members.values()) if (m.broker != null) all.put(m, m.broker.hw());
    return all;
  }

  private void action(String name, int arguments, Action action) {
    actions.put(name, action);
    arity.put(name, arguments);
  }

  Set<String> actionNames() {
    return actions.keySet();
  }

  private static void needs(boolean condition, String otherwise) {
    if (!condition) throw new Refused(otherwise);
  }

  private Member member(List<String> args, int index) {
    Member m = members.get(args.get(index));
    if (m == null) throw new Refused("there is no replica " + args.get(index));
    return m;
  }

  private Member member(int number) {
    return members.values().stream().filter(m -> m.number == number).findFirst().orElseThrow();
  }

  private static int number(List<String> args, int index) {
    try {
      return Integer.parseInt(args.get(index));
    } catch (NumberFormatException e) {
      throw new Refused(args.get(index) + " is not a number");
    }
  }

  private List<Integer> numbers() {
    return members.values().stream().map(m -> m.number).toList();
  }

  private Release.Setup setup() {
    return new Release.Setup(topic, numbers(), config.minIsr(), config.lateEpochFile(), lateReplies(), controller);
  }

  private boolean lateReplies() {
    return config.lateReplies() && release.hasLateReplies();
  }

  private Path newFolder(Member m) {
    return root.resolve(m.name.replaceAll("\\W", "_") + "-" + folders++);
  }

  private Path partitionFolder(Member m) {
    return m.folder.resolve(topic + "-0");
  }
}
