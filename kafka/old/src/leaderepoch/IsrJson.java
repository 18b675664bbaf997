package leaderepoch;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** The ISR in the partition's node of ZooKeeper. */
final class IsrJson {
  private static final ObjectMapper JSON = new ObjectMapper();

  private IsrJson() {}

  static List<Integer> read(byte[] node) {
    List<Integer> isr = new ArrayList<>();
    try {
      JSON.readTree(node).get("isr").forEach(broker -> isr.add(broker.asInt()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return isr;
  }
}
