package leaderepoch;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * What Kafka schedules, held still: nothing happens between two steps. What is to run once and at once does (the epoch
 * cache's file after a truncation is written so since 3.8); all else is kept by name, and runs when told to.
 */
class Tasks {
  private final Map<String, Runnable> tasks = new HashMap<>();

  void run(String name) {
    tasks.get(name).run();
  }

  ScheduledFuture<?> keep(String name, Runnable task, long delay, long period) {
    if (delay <= 0 && period < 0) task.run();
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
