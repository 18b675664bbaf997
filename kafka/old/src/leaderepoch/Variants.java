package leaderepoch;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import kafka.cluster.Partition;
import kafka.server.QuotaFactory.QuotaManagers;
import kafka.server.ReplicationQuotaManager;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.EpochEndOffset;
import scala.Option;

/** What differs in shape between 1.1 and 2.0.1, so that one source serves them all. */
final class Variants {
  private static final Field EPOCH_START = epochStartField();

  private Variants() {}

  /** 2.0 has one parameter more: a time-out of the callback. */
  static ClientResponse clientResponse(AbstractResponse body) {
    return make(
        ClientResponse.class,
        new Object[] {null, null, "", 0L, 0L, false, null, body},
        new Object[] {null, null, "", 0L, 0L, false, null, null, body});
  }

  /** 2.0 has one parameter more: a callback. Nothing here uses quotas of clients, whose managers have threads. */
  static QuotaManagers quotas(ReplicationQuotaManager of) {
    return make(
        QuotaManagers.class,
        new Object[] {null, null, null, of, of, of},
        new Object[] {null, null, null, of, of, of, Option.empty()});
  }

  /** Before 2.0 an answer has no epoch. */
  static int epoch(EpochEndOffset answer) {
    try {
      return (Integer) EpochEndOffset.class.getMethod("leaderEpoch").invoke(answer);
    } catch (NoSuchMethodException e) {
      return EpochEndOffset.UNDEFINED_EPOCH;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Private, and since 2.0.1 only. */
  static boolean knowsEpochStart() {
    return EPOCH_START != null;
  }

  static long epochStart(Partition partition) {
    try {
      Option<?> start = knowsEpochStart() ? (Option<?>) EPOCH_START.get(partition) : Option.empty();
      return start.isDefined() ? (Long) start.get() : -1;
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Field epochStartField() {
    try {
      Field field = Partition.class.getDeclaredField("leaderEpochStartOffsetOpt");
      field.setAccessible(true);
      return field;
    } catch (NoSuchFieldException e) {
      return null;
    }
  }

  private static <T> T make(Class<T> type, Object[]... arguments) {
    try {
      for (Constructor<?> constructor : type.getConstructors())
        for (Object[] given : arguments)
          if (constructor.getParameterCount() == given.length) return type.cast(constructor.newInstance(given));
      throw new IllegalStateException(type + " has no such constructor");
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
