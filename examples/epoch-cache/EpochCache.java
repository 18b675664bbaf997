import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** An epoch cache in Java, held against its specification as a process (docs/process-protocol.md). No JSON library: the shapes are few. */
public class EpochCache {
    static final TreeMap<Integer, Integer> starts = new TreeMap<>();
    static int leo, answerEpoch = -1, answerEnd = -1, maxEpoch, maxOffset;

    static void ask(int epoch) {
        Integer higher = starts.higherKey(epoch), floor = starts.floorKey(epoch);
        boolean known = epoch >= 0 && !starts.isEmpty() && epoch <= starts.lastKey();
        answerEpoch = !known ? -1 : floor == null ? epoch : floor;
        answerEnd = !known ? -1 : higher == null ? leo : starts.get(higher);
    }

    static void step(String action, int arg) {
        if (action.equals("Ask")) ask(arg);
        if (action.equals("Write")) starts.putIfAbsent(arg, leo++);
        if (action.equals("Truncate")) {
            starts.values().removeIf(start -> start >= arg);
            leo = arg;
        }
    }

    static List<String> enabled() {
        List<String> steps = new ArrayList<>();
        for (int e = 1; e <= maxEpoch; e++)
            if (leo < maxOffset && (starts.isEmpty() || e >= starts.lastKey())) steps.add(call("Write", e));
        for (int offset = 0; offset < leo; offset++) steps.add(call("Truncate", offset));
        for (int e = -1; e <= maxEpoch; e++) if (e != 0) steps.add(call("Ask", e));
        return steps;
    }

    static String call(String action, int arg) { return "{\"action\":\"%s\",\"args\":[%d]}".formatted(action, arg); }

    static String observation() {
        String entries = String.join(",", starts.entrySet().stream().map(e -> "{\"epoch\":%d,\"start\":%d}".formatted(e.getKey(), e.getValue())).toList());
        return "{\"cache\":[%s],\"leo\":%d,\"answer\":{\"epoch\":%d,\"endOffset\":%d}}".formatted(entries, leo, answerEpoch, answerEnd);
    }

    /** The text or number that follows this pattern. */
    static String find(String pattern, String line) { return Pattern.compile(pattern + "\"?(-?\\w+)").matcher(line).results().map(m -> m.group(1)).findFirst().orElse(""); }

    static String answer(String request, String line) {
        switch (request) {
            case "hello": return "{\"protocol\":1,\"name\":\"an epoch cache\",\"observable\":[\"cache\",\"leo\",\"answer\"],\"can\":[\"restore\",\"enabled\"]}";
            case "enabled": return "{\"steps\":[" + String.join(",", enabled()) + "]}";
            case "observe": return "{\"observation\":" + observation() + "}";
            case "step":
                String action = find("\"action\":", line);
                int arg = Integer.parseInt(find("\"args\":\\[", line));
                if (!enabled().contains(call(action, arg))) return "{\"kind\":\"refused\",\"reason\":\"not possible now\"}";
                step(action, arg);
                return "{\"kind\":\"taken\"}";
            case "reset", "restore":
                starts.clear();
                Pattern.compile("\\{\"epoch\":(\\d+),\"start\":(\\d+)\\}").matcher(line).results().forEach(m -> starts.put(Integer.valueOf(m.group(1)), Integer.valueOf(m.group(2))));
                if (request.equals("reset")) { maxEpoch = Integer.parseInt(find("\"MaxEpoch\":", line)); maxOffset = Integer.parseInt(find("\"MaxOffset\":", line)); }
                leo = request.equals("reset") ? 0 : Integer.parseInt(find("\"leo\":", line));
                String answer = line.contains("\"answer\":") ? line.substring(line.indexOf("\"answer\":")) : "\"epoch\":-1,\"endOffset\":-1";
                answerEpoch = Integer.parseInt(find("\"epoch\":", answer));
                answerEnd = Integer.parseInt(find("\"endOffset\":", answer));
            default: return "{\"ok\":true}";
        }
    }

    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String request = find("\"request\":", line);
            System.out.println(answer(request, line));
            if (request.equals("close")) return;
        }
    }
}
