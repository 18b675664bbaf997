package leaderepoch;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** What Kafka keeps private, and we must see or call. */
final class Hidden {
  private Hidden() {}

  static Field field(Class<?> type, String name) {
    try {
      return opened(type.getDeclaredField(name));
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException(e);
    }
  }

  static Method method(Class<?> type, String name, Class<?>... parameters) {
    try {
      return opened(type.getDeclaredMethod(name, parameters));
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e);
    }
  }

  private static <T extends AccessibleObject> T opened(T member) {
    member.setAccessible(true);
    return member;
  }

  static Object read(Field field, Object of) {
    try {
      return field.get(of);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  static Object call(Method method, Object of, Object... arguments) {
    try {
      return method.invoke(of, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException cause) throw cause;
      throw new IllegalStateException(e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
