package leaderepoch;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.util.Scheduler;

/** What moves by itself in a broker, held still: nothing happens between two steps. */
final class Idle {
  private Idle() {}

  /**
   * What is to run once and at once does (the epoch cache's file after a truncation is written so since 3.8); all else is
   * kept by name, and runs when told to.
   */
  static final class Tasks implements Scheduler {
    private final Map<String, Runnable> tasks = new HashMap<>();

    void run(String name) {
      tasks.get(name).run();
    }

    @Override
    public ScheduledFuture<?> schedule(String name, Runnable task, long delayMs, long periodMs) {
      if (delayMs <= 0 && periodMs < 0) task.run();
      else tasks.put(name, task);
      return new Handle();
    }

    @Override
    public void startup() {}

    @Override
    public void shutdown() {}

    @Override
    public void resizeThreadPool(int newSize) {}
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

  /** A clock that only steps move: see the old releases' Idle.Clock. */
  static final class Clock implements Time {
    private long now = System.currentTimeMillis();

    void advance(long ms) {
      now += ms;
    }

    @Override
    public long milliseconds() {
      return now;
    }

    @Override
    public long nanoseconds() {
      return TimeUnit.MILLISECONDS.toNanos(now);
    }

    @Override
    public void sleep(long ms) {
      advance(ms);
    }
  }
}
