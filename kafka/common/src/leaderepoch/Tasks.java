package leaderepoch;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * What Kafka schedules, held still: nothing happens between two steps. What is to run once and at once does (the epoch
 * cache's file after a truncation is written so since 3.8), unless it is held back; all else is kept by name, and runs when told to.
 */
class Tasks {
  /** LeaderEpochFileCache.truncateFromEndAsyncFlush */
  private static final String EPOCH_FILE = "leader-epoch-cache-flush-";

  private final Map<String, Runnable> tasks = new HashMap<>();
  private boolean holdsEpochFiles;

  void run(String name) {
    tasks.get(name).run();
  }

  void holdEpochFiles(boolean hold) {
    holdsEpochFiles = hold;
    tasks.keySet().removeIf(name -> name.startsWith(EPOCH_FILE));
  }

  void runEpochFile(String partition) {
    Runnable task = tasks.remove(EPOCH_FILE + partition);
    if (task == null) throw new Refused("nothing of the epoch file has been put off");
    task.run();
  }

  ScheduledFuture<?> keep(String name, Runnable task, long delay, long period) {
    boolean isHeld = holdsEpochFiles && name.startsWith(EPOCH_FILE);
    if (delay <= 0 && period < 0 && !isHeld) task.run();
    else tasks.put(name, task);
    return new Handle();
  }

  /** Kafka cancels tasks by it. */
  private static final class Handle extends CompletableFuture<Void> implements ScheduledFuture<Void> {
    @Override
    public long getDelay(TimeUnit unit) {
      return 0;
    }

    @Override
    public int compareTo(Delayed other) {
      return 0;
    }
  }
}
