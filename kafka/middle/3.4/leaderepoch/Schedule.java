package leaderepoch;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import kafka.utils.Scheduler;
import scala.Function0;
import scala.runtime.BoxedUnit;

final class Schedule extends Tasks implements Scheduler {
  @Override
  public ScheduledFuture<?> schedule(String name, Function0<BoxedUnit> task, long delay, long period, TimeUnit unit) {
    return keep(name, task::apply, delay, period);
  }

  @Override
  public void startup() {}

  @Override
  public void shutdown() {}

  @Override
  public boolean isStarted() {
    return true;
  }
}
