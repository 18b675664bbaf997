package leaderepoch;

import java.io.File;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;

/**
 * Kafka's own word on files that it did not write.
 *
 * <p>{@code FOLDER}: DumpLogSegments on each segment of a log, and LeaderEpochCheckpointFile on its epochs.
 * Releases differ in packages and constructors, so all is found by name.
 */
public final class ReadFiles {
    public static void main(String[] args) throws Exception {
        try {
            files(new File(args[0]));
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
