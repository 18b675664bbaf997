package leaderepoch;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import scala.collection.JavaConverters;

/** Scala's collections, from and to Java's. */
final class Scala {
  private Scala() {}

  static <K, V> Map<K, V> map(scala.collection.Map<K, V> map) {
    return JavaConverters.mapAsJavaMapConverter(map).asJava();
  }

  static <K, V> scala.collection.mutable.Map<K, V> map(Map<K, V> map) {
    return JavaConverters.mapAsScalaMapConverter(map).asScala();
  }

  static <T> Iterable<T> iterable(scala.collection.Iterable<T> items) {
    return JavaConverters.asJavaIterableConverter(items).asJava();
  }

  static <T> List<T> list(scala.collection.Seq<T> items) {
    return JavaConverters.seqAsJavaListConverter(items).asJava();
  }

  @SafeVarargs
  static <T> scala.collection.Seq<T> seq(T... items) {
    return JavaConverters.asScalaBufferConverter(Arrays.asList(items)).asScala().toSeq();
  }
}
