package leaderepoch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;

/** The spec's variables, read from Kafka's own objects, or from its files while a broker is down. */
record Observation(
    Release release,
    String topic,
    Controller controller,
    Map<String, Member> members,
    boolean oldNews,
    IntFunction<String> name) {

  /** Every field that any release shows; `Release.notObservable` takes its own away. */
  static final List<String> FIELDS = List.of(
      "log", "flushed", "epochCache", "epochFile", "checkpoint", "role", "leaderEpoch", "leader", "hw", "fetchState", "incarnation", "isr",
      "remoteLeo", "epochStart", "pending", "controller", "oldNews", "network");

  Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("log", each(m -> records(m.broker != null ? m.broker.log() : release.readLog(partition(m)))));
    fields.put("flushed", each(m -> m.flushed));
    fields.put("epochCache", each(m -> epochs(m.broker != null ? m.broker.epochCache() : Folders.epochs(partition(m)))));
    fields.put("epochFile", each(m -> epochs(Folders.epochs(partition(m)))));
    fields.put("checkpoint", each(m -> Folders.checkpoint(m.broker != null ? m.broker.folder() : m.folder, topic)));
    fields.put("role", each(Member::role));
    // What is in memory goes with the process, also with one that has exited of its own accord.
    fields.put("leaderEpoch", each(m -> m.alive() ? m.broker.leaderEpoch() : 0));
    fields.put("leader", each(m -> name.apply(m.alive() ? m.broker.leader() : Broker.NOBODY)));
    fields.put("hw", each(m -> m.alive() ? m.broker.hw() : 0L));
    fields.put("fetchState", each(m -> m.alive() ? m.broker.fetchState() : "idle"));
    fields.put("incarnation", each(m -> m.incarnation));
    fields.put("isr", each(m -> m.alive() ? names(m.broker.isr()) : List.of()));
    fields.put("remoteLeo", each(this::remoteLeo));
    fields.put("epochStart", each(m -> m.alive() ? m.broker.epochStart() : -1L));
    fields.put("pending", each(m -> m.alive() ? m.waiting.stream().map(Member.Waiting::offset).sorted().toList() : List.of()));
    fields.put("controller", election(controller.newest()));
    fields.put("oldNews", oldNews ? controller.earlier().stream().map(this::election).toList() : List.of());
    fields.put("network", network());
    fields.keySet().removeAll(release.notObservable().keySet());
    return fields;
  }

  private List<Map<String, Object>> network() {
    List<Map<String, Object>> messages = new ArrayList<>();
    for (Member m : members.values()) if (m.underWay != null) messages.add(message(m));
    return messages;
  }

  private Map<String, Object> message(Member f) {
    Broker.Request request = f.underWay.request;
    Broker.Reply reply = f.underWay.reply;
    boolean fetch = request.type().equals("FetchRequest");
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("type", reply == null ? request.type() : request.type().replace("Request", "Response"));
    fields.put("follower", f.name);
    fields.put("leader", name.apply(request.leader()));
    fields.put("incarnation", f.incarnation);
    fields.put("leaderEpoch", request.leaderEpoch());
    fields.put(fetch ? "offset" : "asked", request.number());
    if (fetch) fields.put("lastFetchedEpoch", request.lastFetchedEpoch());
    if (reply == null) return fields;
    fields.put("error", reply.error());
    if (!fetch) {
      fields.put("epoch", reply.epochEnd().epoch());
      fields.put("endOffset", reply.epochEnd().endOffset());
      return fields;
    }
    fields.put("diverging", Map.of("epoch", reply.epochEnd().epoch(), "endOffset", reply.epochEnd().endOffset()));
    fields.put("endOffset", reply.logEnd());
    fields.put("hw", reply.hw());
    fields.put("records", records(reply.records()));
    return fields;
  }

  private Map<String, Object> remoteLeo(Member m) {
    Map<Integer, Long> known = m.alive() ? m.broker.remoteLeo() : Map.of();
    Map<String, Object> all = new LinkedHashMap<>();
    for (Member f : members.values()) all.put(f.name, known.getOrDefault(f.number, -1L));
    return all;
  }

  private Map<String, Object> election(Broker.Election e) {
    return Map.of("epoch", e.epoch(), "leader", name.apply(e.leader()), "isr", names(e.isr()));
  }

  private Map<String, Object> each(Function<Member, Object> field) {
    Map<String, Object> all = new LinkedHashMap<>();
    members.forEach((name, m) -> all.put(name, field.apply(m)));
    return all;
  }

  private List<String> names(List<Integer> numbers) {
    return numbers.stream().map(name::apply).sorted().toList();
  }

  private static List<Map<String, Integer>> records(List<Broker.Entry> log) {
    return log.stream().map(r -> Map.of("id", r.id(), "epoch", r.epoch())).toList();
  }

  private static List<Map<String, Object>> epochs(List<Broker.EpochStart> cache) {
    return cache.stream().map(e -> Map.<String, Object>of("epoch", e.epoch(), "start", e.start())).toList();
  }

  private Path partition(Member m) {
    return (m.broker != null ? m.broker.folder() : m.folder).resolve(topic + "-0");
  }
}
