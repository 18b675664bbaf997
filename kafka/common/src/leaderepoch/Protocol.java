package leaderepoch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** docs/process-protocol.md: one JSON object a line, in and out. All else that is printed goes to stderr. */
final class Protocol {
  private static final int VERSION = 1;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String name;
  private final Release release;
  private final ReplicaSet set;

  private Protocol(String name, Release release, Path root) {
    this.name = name;
    this.release = release;
    this.set = new ReplicaSet(release, root);
  }

  /** Serves until `close` or the end of stdin, which means that whoever drives us has gone. */
  static void serve(String name, Release release, Path root) throws IOException {
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    System.setOut(System.err);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> Folders.delete(root)));
    Protocol protocol = new Protocol(name, release, root);
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      if (line.isBlank()) continue;
      JsonNode request = null;
      Object response;
      try {
        request = JSON.readTree(line);
        response = protocol.answer(request);
      } catch (Throwable t) {
        t.printStackTrace();
        response = Map.of("error", t.toString());
      }
      out.println(JSON.writeValueAsString(response));
      out.flush();
      if (request != null && request.path("request").asText().equals("close")) break;
    }
    System.exit(0);
  }

  private Object answer(JsonNode request) {
    switch (request.path("request").asText()) {
      case "hello":
        return hello();
      case "reset":
        set.reset(Config.of(request.path("config")));
        return Map.of("ok", true);
      case "step":
        return step(request);
      case "observe":
        return Map.of("observation", set.observe());
      case "close":
        set.close();
        return Map.of("ok", true);
      default:
        return Map.of("error", "unknown request " + request.path("request"));
    }
  }

  private Object hello() {
    List<String> observable = new ArrayList<>(Observation.FIELDS);
    observable.removeAll(release.notObservable().keySet());
    Map<String, Object> hello = new LinkedHashMap<>();
    hello.put("protocol", VERSION);
    hello.put("name", name);
    hello.put("observable", observable);
    hello.put("notObservable", release.notObservable());
    hello.put("unsupported", release.unsupported());
    return hello;
  }

  private Object step(JsonNode request) {
    List<String> args = new ArrayList<>();
    request.path("args").forEach(arg -> args.add(arg.asText()));
    Integer id = request.hasNonNull("id") ? (Integer) request.get("id").asInt() : null;
    try {
      List<Map<String, Object>> effects = new ArrayList<>();
      for (ReplicaSet.Acknowledged a : set.step(request.path("action").asText(), args, id))
        effects.add(Map.of("kind", "acknowledged", "id", a.id(), "acks", a.acks()));
      return Map.of("kind", "taken", "effects", effects);
    } catch (Refused refused) {
      return Map.of("kind", "refused", "reason", refused.getMessage());
    }
  }
}
