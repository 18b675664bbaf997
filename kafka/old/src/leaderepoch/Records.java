package leaderepoch;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.record.CompressionType;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.common.record.Record;
import org.apache.kafka.common.record.RecordBatch;
import org.apache.kafka.common.record.SimpleRecord;

/**
 * A client's record: its value is its id, in digits. Batches of format 2 carry the epoch of the leader that appended them.
 * Before, records carry no epoch; there the client notes as the key which epoch its leader was in, for the spec knows it
 * of every record. Kafka does not read keys.
 */
final class Records {
  private Records() {}

  static MemoryRecords one(byte format, int id, int leaderEpoch) {
    byte[] key = format < RecordBatch.MAGIC_VALUE_V2 ? digits(leaderEpoch) : null;
    return MemoryRecords.withRecords(format, CompressionType.NONE, new SimpleRecord(1L, key, digits(id)));
  }

  static List<Broker.Entry> read(Iterable<? extends RecordBatch> batches) {
    List<Broker.Entry> entries = new ArrayList<>();
    for (RecordBatch batch : batches)
      for (Record record : batch) {
        int epoch = batch.magic() < RecordBatch.MAGIC_VALUE_V2 ? number(record.key()) : batch.partitionLeaderEpoch();
        entries.add(new Broker.Entry(number(record.value()), epoch));
      }
    return entries;
  }

  private static byte[] digits(int number) {
    return Integer.toString(number).getBytes();
  }

  private static int number(ByteBuffer digits) {
    byte[] bytes = new byte[digits.remaining()];
    digits.duplicate().get(bytes);
    return Integer.parseInt(new String(bytes));
  }
}
