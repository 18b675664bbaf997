package leaderepoch;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A broker's folder on disk, as it is while nobody runs on it. */
final class Folders {
  private Folders() {}

  /** What is left after a crash: all that was written, for the page cache survives. Not the lock of the dead process. */
  static void copy(Path from, Path to) {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        if (file.getFileName().toString().equals(".lock")) continue;
        Path target = to.resolve(from.relativize(file));
        if (Files.isDirectory(file)) Files.createDirectories(target);
        else Files.copy(file, target);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void delete(Path folder) {
    if (!Files.exists(folder)) return;
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * A loss of power: cuts the log to its first n records. Every record is a batch of its own, and both formats begin with
   * the base offset (8 bytes) and the length of what follows (4 bytes): DefaultRecordBatch, LegacyRecord.
   */
  static void cut(Path partitionFolder, long n) {
    for (Path segment : segments(partitionFolder)) {
      try (RandomAccessFile file = new RandomAccessFile(segment.toFile(), "rw")) {
        long position = 0;
        while (position + 12 <= file.length()) {
          file.seek(position);
          long offset = file.readLong();
          int length = file.readInt();
          if (offset >= n || length <= 0) break;
          position += 12 + length;
        }
        file.setLength(position);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  static List<Path> segments(Path partitionFolder) {
    if (!Files.exists(partitionFolder)) return List.of();
    try (Stream<Path> files = Files.list(partitionFolder)) {
      return files.filter(file -> file.toString().endsWith(".log")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** replication-offset-checkpoint: version 0, a count, then lines of topic, partition, offset. */
  static long checkpoint(Path folder, String topic) {
    for (String[] entry : checkpointEntries(folder.resolve("replication-offset-checkpoint")))
      if (entry[0].equals(topic)) return Long.parseLong(entry[2]);
    return 0;
  }

  /** leader-epoch-checkpoint: version 0, a count, then lines of epoch, start offset. */
  static List<Broker.EpochStart> epochs(Path partitionFolder) {
    List<Broker.EpochStart> epochs = new ArrayList<>();
    for (String[] entry : checkpointEntries(partitionFolder.resolve("leader-epoch-checkpoint")))
      epochs.add(new Broker.EpochStart(Integer.parseInt(entry[0]), Long.parseLong(entry[1])));
    return epochs;
  }

  private static List<String[]> checkpointEntries(Path file) {
    if (!Files.exists(file)) return List.of();
    try {
      List<String> lines = Files.readAllLines(file);
      if (lines.isEmpty()) return List.of();
      if (!lines.get(0).equals("0")) throw new IllegalStateException(file.getFileName() + " has version " + lines.get(0));
      return lines.stream().skip(2).map(line -> line.split(" ")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
