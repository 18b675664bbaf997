package leaderepoch;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import leaderepoch.Broker.Election;

/** The controller, which is ours: it only decides what it is told to, and keeps the partition's state. */
final class Controller implements Release.IsrStore {
  /** By epoch; the last one is the newest. An earlier one has the ISR that it had when it was replaced. */
  private final TreeMap<Integer, Election> elections = new TreeMap<>();
  /** The leader whose change of the ISR is let through just now. Kafka tries on its own, at each fetch, and fails. */
  private int letThrough = Broker.NOBODY;

  Controller(int firstLeader, List<Integer> replicas) {
    elections.put(1, new Election(1, firstLeader, replicas, 0));
  }

  Election newest() {
    return elections.lastEntry().getValue();
  }

  List<Election> earlier() {
    return new ArrayList<>(elections.headMap(newest().epoch()).values());
  }

  Election of(int epoch) {
    return elections.get(epoch);
  }

  void decide(int leader, List<Integer> isr) {
    Election before = newest();
    elections.put(before.epoch() + 1, new Election(before.epoch() + 1, leader, isr, before.version() + 1));
  }

  void allowing(int leader, Runnable attempt) {
    letThrough = leader;
    try {
      attempt.run();
    } finally {
      letThrough = Broker.NOBODY;
    }
  }

  @Override
  public int change(int leader, int version, List<Integer> isr) {
    Election now = newest();
    if (leader != letThrough || version != now.version()) return -1;
    List<Integer> sorted = isr.stream().sorted().toList();
    elections.put(now.epoch(), new Election(now.epoch(), now.leader(), sorted, version + 1));
    return version + 1;
  }
}
