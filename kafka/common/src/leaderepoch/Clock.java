package leaderepoch;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.Time;

/**
 * A clock that only steps move, each by more than replica.lag.time.max.ms. Kafka's HW waits not only for the ISR but for
 * any replica that was caught up within that time (Partition.maybeIncrementLeaderHW); the spec lets that time pass.
 *
 * What only some releases' Time asks for stands here without @Override.
 */
final class Clock implements Time {
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

  public long hiResClockMs() {
    return now;
  }

  public void waitObject(Object object, Supplier<Boolean> condition, long deadlineMs) {
    throw new UnsupportedOperationException("nothing here waits for another thread");
  }
}
