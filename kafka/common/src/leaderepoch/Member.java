package leaderepoch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One replica of the set, through crashes and restarts. */
final class Member {
  /** A producer's record with acks=all that Kafka has not answered yet. */
  record Waiting(int id, long offset) {}

  /** What the follower has under way: its request, and the reply once the leader has handled it. */
  static final class Message {
    final Broker.Request request;
    Broker.Reply reply;

    Message(Broker.Request request) {
      this.request = request;
    }
  }

  final int number;
  final String name;
  /** null while it is down. */
  Broker broker;
  /** Where its log is while it is down. */
  Path folder;
  int incarnation;
  /** How many records a Flush step has made safe from a loss of power, as far as the log has kept them since. */
  long flushed;
  Message underWay;
  final List<Waiting> waiting = new ArrayList<>();

  Member(int number, String name) {
    this.number = number;
    this.name = name;
  }

  String role() {
    return broker == null ? "down" : broker.role();
  }

  boolean alive() {
    return broker != null && !broker.role().equals("halted");
  }
}
