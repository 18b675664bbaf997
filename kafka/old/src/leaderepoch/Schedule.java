package leaderepoch;

import java.util.concurrent.TimeUnit;
import kafka.utils.Scheduler;
import scala.Function0;
import scala.runtime.BoxedUnit;

final class Schedule extends Tasks implements Scheduler {
  @Override
  public void schedule(String name, Function0<BoxedUnit> task, long delay, long period, TimeUnit unit) {
    keep(name, task::apply, delay, period);
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
