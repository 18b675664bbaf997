package leaderepoch;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** What a family of releases provides. */
interface Release {
  /** Where a leader's change of the ISR goes: compared and set against the controller's copy. */
  interface IsrStore {
    /** The new version, or -1 if it is not let through. */
    int change(int leader, int version, List<Integer> isr);
  }

  /** Starts a broker on a folder, empty or left by a crash. */
  Broker start(int id, Path folder, Setup setup);

  /** All that a broker must know of the cluster. */
  record Setup(String topic, List<Integer> brokers, int minIsr, boolean lateEpochFile, boolean lateReplies, IsrStore isrStore) {}

  /** Whether what a fetcher has under way can outlive the news of another epoch. */
  default boolean hasLateReplies() {
    return false;
  }

  /** Actions that this release does not have, and why. */
  Map<String, String> unsupported();

  /** Fields that cannot be seen on it, and why. */
  Map<String, String> notObservable();

  /** The record's id and epoch from what was written; the inverse of what `Broker.write` stores. */
  List<Broker.Entry> readLog(Path partitionFolder);
}
