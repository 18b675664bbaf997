package leaderepoch;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * One broker that is up, with its replica of the one partition: Kafka's own classes of some release. Whoever implements it
 * only carries calls to them and reads their fields; what Kafka computes is never computed here. Brokers go by their
 * numbers.
 */
interface Broker {
  int NOBODY = -1;

  /** A record: what a client gave (its id), and the leader epoch it was appended in. */
  record Entry(int id, int epoch) {}

  record EpochStart(int epoch, long start) {}

  /** What the controller decided. `version` is that of ZooKeeper's node, or the partition epoch. */
  record Election(int epoch, int leader, List<Integer> isr, int version) {}

  /** Where an epoch ends in a leader's log; both -1: nowhere that it knows of. */
  record EpochEnd(int epoch, long endOffset) {
    static final EpochEnd NONE = new EpochEnd(-1, -1);
  }

  /**
   * What the fetcher asks its leader. `number` is a fetch offset, or the epoch asked about; `raw` is Kafka's own object.
   * `lastFetchedEpoch` is -1 where a Fetch does not carry it.
   */
  record Request(String type, int leader, int leaderEpoch, long number, int lastFetchedEpoch, Object raw) {}

  /**
   * `error`: "none", or Kafka's name for it. `epochEnd`: the answer to OffsetsForLeaderEpoch, or where a Fetch diverges.
   * `logEnd`: the leader's log end when it answered a Fetch, -1 if it refused.
   */
  record Reply(String error, EpochEnd epochEnd, long logEnd, long hw, List<Entry> records, Object raw) {}

  /** `anew`: the fetcher began anew. `cut`: before that it cut the log to its high watermark, without asking anybody. */
  record Heard(boolean anew, boolean cut) {}

  Heard hear(Election election);

  /** A producer's record; `told` hears "none" once it is stored, or Kafka's error. */
  void write(int id, short acks, java.util.function.Consumer<String> told);

  /** The fetcher's next request. It waits for the reply until `deliver` or `lose`. */
  Request send(String type);

  /** Answers another broker's request, as leader or not. */
  Reply handle(int follower, Request request);

  void deliver(Reply reply);

  /** The connection breaks. Nothing happens if no request is under way. */
  void lose();

  /** The leader's attempt to take a follower out of the ISR for lagging, or to let it in. */
  void shrinkIsr(int follower);

  void expandIsr(int follower);

  void checkpointHighWatermark();

  /** What it has put off; since 3.8 a truncation's (KAFKA-15046). */
  void flushEpochFile();

  void flush();

  // What can be seen.

  /** "starting", "follower", "leader", or "halted" after Kafka's own decision to exit. */
  String role();

  int leaderEpoch();

  int leader();

  /**
   * "idle", "truncating", "fetching"; "failed" if the fetcher has given the partition up until the next news (since 2.1 for
   * one that was fenced), or "dead" if an exception has ended its thread.
   */
  String fetchState();

  long hw();

  long logEndOffset();

  List<Entry> log();

  List<EpochStart> epochCache();

  List<Integer> isr();

  Map<Integer, Long> remoteLeo();

  /** A leader's log end when it became leader, -1 for others. */
  long epochStart();

  /** The folder it keeps its log in. */
  Path folder();

  /** Deletes its partition, and takes the next one, which has another topic name. Cheaper than a new broker. */
  void reuse(Release.Setup next);

  /** Closes files and ends threads. What it writes while doing so must not matter: the folder has been copied. */
  void stop();
}
