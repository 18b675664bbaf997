package leaderepoch;

import java.io.File;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Kafka's own word on files that it did not write.
 *
 * <p>{@code files FOLDER}: DumpLogSegments on each segment of a log, and LeaderEpochCheckpointFile on its epochs.
 * {@code consume SERVERS TOPIC COUNT}: the values of the first records of partition 0, read by a KafkaConsumer.
 * Releases differ in packages and constructors, so all is found by name.
 */
public final class ReadFiles {
    public static void main(String[] args) throws Exception {
        try {
            if (args[0].equals("files")) files(new File(args[1]));
            else consume(args[1], args[2], Integer.parseInt(args[3]));
            // Kafka's tools leave threads behind.
            System.out.flush();
            System.exit(0);
        } catch (InvocationTargetException e) {
            e.getCause().printStackTrace();
            System.exit(1);
        }
    }

    private static void files(File folder) throws Exception {
        File[] segments = folder.listFiles((dir, name) -> name.endsWith(".log"));
        Arrays.sort(segments);
        Method main = any("org.apache.kafka.tools.DumpLogSegments", "kafka.tools.DumpLogSegments").getMethod("main", String[].class);
        for (File segment : segments) {
            main.invoke(null, (Object) new String[] {"--deep-iteration", "--print-data-log", "--files", segment.getPath()});
        }
        File epochs = new File(folder, "leader-epoch-checkpoint");
        if (epochs.exists()) System.out.println("epochs " + readEpochs(epochs));
    }

    private static Object readEpochs(File file) throws Exception {
        Class<?> type = any(
            "org.apache.kafka.storage.internals.checkpoint.LeaderEpochCheckpointFile",
            "kafka.server.checkpoints.LeaderEpochCheckpointFile");
        Constructor<?> constructor = type.getConstructors()[0];
        Object[] arguments = new Object[constructor.getParameterCount()];
        arguments[0] = file;
        if (arguments.length > 1) {
            arguments[1] = constructor.getParameterTypes()[1].getConstructor(int.class).newInstance(1);
        }
        return type.getMethod("read").invoke(constructor.newInstance(arguments));
    }

    private static void consume(String servers, String topic, int count) throws Exception {
        Properties settings = new Properties();
        settings.put("bootstrap.servers", servers);
        settings.put("key.deserializer", "org.apache.kafka.common.serialization.StringDeserializer");
        settings.put("value.deserializer", "org.apache.kafka.common.serialization.StringDeserializer");
        settings.put("auto.offset.reset", "earliest");
        settings.put("enable.auto.commit", "false");
        try (var consumer = new KafkaConsumer<String, String>(settings)) {
            List<TopicPartition> partitions = List.of(new TopicPartition(topic, 0));
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            List<String> values = new ArrayList<>();
            // 0.11 has another poll, and is not asked.
            Method poll = consumer.getClass().getMethod("poll", Duration.class);
            while (values.size() < count) {
                for (Object record : (Iterable<?>) poll.invoke(consumer, Duration.ofSeconds(1))) {
                    values.add(((ConsumerRecord<?, ?>) record).value().toString());
                }
            }
            System.out.println("values " + String.join(" ", values));
        }
    }

    private static Class<?> any(String... names) throws ClassNotFoundException {
        for (String name : names) {
            try {
                return Class.forName(name);
            } catch (ClassNotFoundException e) {
                // The other release's.
            }
        }
        throw new ClassNotFoundException(String.join(", ", names));
    }
}
