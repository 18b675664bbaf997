package leaderepoch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.record.FileRecords;

/** Kafka 2.8 to 3.9: LeaderAndIsr requests, the ISR by AlterIsr or AlterPartition, truncation inside Fetch. */
final class MiddleRelease implements Release {
  private static final String INSIDE_FETCH =
      "this release truncates inside Fetch: it sends the epoch of its last record, and the reply says where logs part";

  /** Arguments: the name, and a folder to work in. */
  public static void main(String[] args) throws IOException {
    Protocol.serve(args[0], new MiddleRelease(), Path.of(args[1]));
  }

  @Override
  public Broker start(int id, Path folder, Setup setup) {
    return new MiddleBroker(id, folder, setup);
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
