package leaderepoch;

import java.util.concurrent.ScheduledFuture;
import org.apache.kafka.server.util.Scheduler;

final class Schedule extends Tasks implements Scheduler {
  @Override
  public ScheduledFuture<?> schedule(String name, Runnable task, long delayMs, long periodMs) {
    return keep(name, task, delayMs, periodMs);
  }

  @Override
  public void startup() {}

  @Override
  public void shutdown() {}

  @Override
  public void resizeThreadPool(int newSize) {}
}
