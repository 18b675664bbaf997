package leaderepoch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.record.FileRecords;

/** Kafka 1.1.0 to 2.0.1: LeaderAndIsr requests, the ISR in ZooKeeper, OffsetsForLeaderEpoch before fetching. */
final class OldRelease implements Release {
  private final Properties overrides;

  private OldRelease(Properties overrides) {
    this.overrides = overrides;
  }

  /** Arguments: the name, a folder to work in, then settings of brokers as key=value. */
  public static void main(String[] args) throws IOException {
    Properties overrides = new Properties();
    for (String setting : List.of(args).subList(2, args.length)) {
      int equals = setting.indexOf('=');
      overrides.put(setting.substring(0, equals), setting.substring(equals + 1));
    }
    Protocol.serve(args[0], new OldRelease(overrides), Path.of(args[1]));
  }

  @Override
  public Broker start(int id, Path folder, Setup setup) {
    return new OldBroker(id, folder, setup, overrides);
  }

  @Override
  public Map<String, String> unsupported() {
    if (OldBroker.asksItsLeader(OldBroker.config(0, Path.of("unused"), 1, overrides))) return Map.of();
    String reason = "below inter-broker protocol 0.11 a follower cuts to its own high watermark and asks nobody";
    Map<String, String> actions = new LinkedHashMap<>();
    for (String action : List.of("SendOffsetsForLeaderEpoch", "HandleOffsetsForLeaderEpoch", "HandleOffsetsForLeaderEpochResponse"))
      actions.put(action, reason);
    return actions;
  }

  @Override
  public Map<String, String> notObservable() {
    return Variants.knowsEpochStart() ? Map.of() : Map.of("epochStart", "a leader remembers it since 2.0.1 only (KAFKA-7128)");
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
