package leaderepoch;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Kafka's own clients, until standard input ends; each line that they print tells one thing that they saw.
 *
 * <p>{@code produce SERVERS TOPIC}: each line of input becomes a record ({@code written OFFSET}).
 * {@code consume SERVERS TOPIC}: partition 0 from its beginning, without a group ({@code record OFFSET EPOCH VALUE}). Where the
 * leader's log has lost what was read ({@code truncated FROM TO EPOCH}), it goes on from where the leader's log parts from that.
 */
public final class Clients {
    public static void main(String[] args) throws Exception {
        Properties settings = new Properties();
        settings.put("bootstrap.servers", args[1]);
        // A new leader is looked for at once.
        settings.put("retry.backoff.ms", "100");
        settings.put("reconnect.backoff.ms", "100");
        try {
            if (args[0].equals("produce")) produce(settings, args[2]);
            else consume(settings, new TopicPartition(args[2], 0));
        } catch (Exception e) {
            say("failed " + e);
            System.exit(1);
        }
    }

    private static void produce(Properties settings, String topic) throws Exception {
        settings.put("acks", "all");
        settings.put("enable.idempotence", "false");
        try (var producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                say("written " + producer.send(new ProducerRecord<>(topic, 0, null, line)).get().offset());
            }
        }
    }

    private static void consume(Properties settings, TopicPartition partition) {
        settings.put("enable.auto.commit", "false");
        // A truncation is told, and not passed over.
        settings.put("auto.offset.reset", "none");
        // Who leads is asked often: also a leader that has died and come back is noticed.
        settings.put("metadata.max.age.ms", "500");
        AtomicBoolean ended = whenInputEnds();
        try (var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seek(partition, 0);
            while (!ended.get()) {
                try {
                    for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(100))) {
                        int epoch = record.leaderEpoch().orElse(-1);
                        say("record " + record.offset() + " " + epoch + " " + record.value());
                    }
                } catch (LogTruncationException e) {
                    long from = e.offsetOutOfRangePartitions().get(partition);
                    var to = e.divergentOffsets().get(partition);
                    say("truncated " + from + " " + to.offset() + " " + to.leaderEpoch().orElse(-1));
                    consumer.seek(partition, to);
                }
            }
        }
    }

    private static AtomicBoolean whenInputEnds() {
        AtomicBoolean ended = new AtomicBoolean();
        Thread reader = new Thread(() -> {
            try {
                while (System.in.read() >= 0) {}
            } catch (java.io.IOException e) {
                // As good as its end.
            }
            ended.set(true);
        });
        reader.setDaemon(true);
        reader.start();
        return ended;
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
