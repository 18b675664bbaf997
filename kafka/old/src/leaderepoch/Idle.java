package leaderepoch;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import kafka.utils.Scheduler;
import org.apache.kafka.common.utils.Time;
import scala.Function0;
import scala.runtime.BoxedUnit;

/** What moves by itself in a broker, held still: nothing happens between two steps. */
final class Idle {
  private Idle() {}

  /** Keeps what Kafka schedules, by name, and runs it when told to. */
  static final class Tasks implements Scheduler {
    private final Map<String, Function0<BoxedUnit>> tasks = new HashMap<>();

    void run(String name) {
      tasks.get(name).apply();
    }

    @Override
    public void schedule(String name, Function0<BoxedUnit> task, long delay, long period, TimeUnit unit) {
      tasks.put(name, task);
    }

    @Override
    public void startup() {}

    @Override
    public void shutdown() {}

    @Override
    public boolean isStarted() {
      return true;
    }

    // Scala's default arguments, which a class in Java must give.
    public long schedule$default$3() {
      return 0;
    }

    public long schedule$default$4() {
      return -1;
    }

    public TimeUnit schedule$default$5() {
      return TimeUnit.MILLISECONDS;
    }
  }

  /**
   * A clock that only steps move, each by more than replica.lag.time.max.ms. Kafka's HW waits not only for the ISR but for
   * any replica that was caught up within that time (Partition.maybeIncrementLeaderHW); the spec lets that time pass.
   */
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
    public long hiResClockMs() {
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
