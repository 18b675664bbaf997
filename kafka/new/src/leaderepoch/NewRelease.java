package leaderepoch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.record.internal.FileRecords;

/** Kafka 4.4.0: metadata records, the ISR by AlterPartition, truncation inside Fetch. */
final class NewRelease implements Release {
  private static final String INSIDE_FETCH =
      "this release truncates inside Fetch: it sends the epoch of its last record, and the reply says where logs part";

  /** The metadata that all brokers know: which are registered, and in which epoch of their own. */
  private final Map<Integer, Long> brokerEpochs = new LinkedHashMap<>();
  private final Map<Integer, NewBroker> brokers = new HashMap<>();
  private long registrations = 1;

  /** Arguments: the name, and a folder to work in. */
  public static void main(String[] args) throws IOException {
    Protocol.serve(args[0], new NewRelease(), Path.of(args[1]));
  }

  /** A broker registers anew whenever it starts, and all hear of it at once: none here acts on an old registration. */
  @Override
  public Broker start(int id, Path folder, Setup setup) {
    for (int broker : setup.brokers()) if (broker == id || !brokerEpochs.containsKey(broker)) brokerEpochs.put(broker, registrations++);
    NewBroker started = new NewBroker(id, folder, setup, brokerEpochs);
    brokers.put(id, started);
    for (NewBroker broker : brokers.values()) broker.hearOfRegistrations();
    return started;
  }

  @Override
  public Map<String, String> unsupported() {
    return Map.of(
        "SendOffsetsForLeaderEpoch", INSIDE_FETCH,
        "HandleOffsetsForLeaderEpoch", INSIDE_FETCH,
        "HandleOffsetsForLeaderEpochResponse", INSIDE_FETCH);
  }

  @Override
  public boolean hasLateReplies() {
    return true;
  }

  @Override
  public Map<String, String> notObservable() {
    return Map.of();
  }

  @Override
  public List<Broker.Entry> readLog(Path partitionFolder) {
    List<Broker.Entry> entries = new ArrayList<>();
    for (Path segment : Folders.segments(partitionFolder))
      try (FileRecords records = FileRecords.open(segment.toFile(), false)) {
        entries.addAll(Records.read(records.batches()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    return entries;
  }
}
