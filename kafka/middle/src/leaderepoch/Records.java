package leaderepoch;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.record.Record;
import org.apache.kafka.common.record.RecordBatch;
import org.apache.kafka.common.record.SimpleRecord;

/** A client's record: its value is its id, in digits. Its batch carries the epoch of the leader that appended it. */
final class Records {
  private Records() {}

  static SimpleRecord one(int id) {
    return new SimpleRecord(1L, Integer.toString(id).getBytes());
  }

  static List<Broker.Entry> read(Iterable<? extends RecordBatch> batches) {
    List<Broker.Entry> entries = new ArrayList<>();
    for (RecordBatch batch : batches)
      for (Record record : batch) {
        byte[] digits = new byte[record.valueSize()];
        record.value().get(digits);
        entries.add(new Broker.Entry(Integer.parseInt(new String(digits)), batch.partitionLeaderEpoch()));
      }
    return entries;
  }
}
