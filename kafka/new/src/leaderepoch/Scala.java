package leaderepoch;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import scala.jdk.javaapi.CollectionConverters;

/** Scala's collections, from and to Java's. */
final class Scala {
  private Scala() {}

  static <K, V> Map<K, V> map(scala.collection.Map<K, V> map) {
    return CollectionConverters.asJava(map);
  }

  static <T> Iterable<T> iterable(scala.collection.Iterable<T> items) {
    return CollectionConverters.asJava(items);
  }

  static <T> List<T> list(scala.collection.Seq<T> items) {
    return CollectionConverters.asJava(items);
  }

  @SafeVarargs
  static <T> scala.collection.Seq<T> seq(T... items) {
    return CollectionConverters.asScala(Arrays.asList(items)).toSeq();
  }
}
