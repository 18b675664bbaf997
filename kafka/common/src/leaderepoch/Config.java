package leaderepoch;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** `SystemConfig` of src/systems/system.ts, as far as it concerns a set that runs one release: profileOf does not. */
record Config(
    List<String> replicas, String firstLeader, int minIsr, boolean lazyCheckpoint, boolean resumeSameEpoch, boolean oldNews,
    boolean lateEpochFile, boolean lateReplies) {

  static Config of(JsonNode json) {
    List<String> replicas = new ArrayList<>();
    json.path("replicas").forEach(name -> replicas.add(name.asText()));
    String firstLeader = json.path("firstLeader").asText();
    if (!replicas.contains(firstLeader)) throw new IllegalArgumentException("firstLeader is not one of the replicas");
    return new Config(
        replicas,
        firstLeader,
        json.path("minIsr").asInt(1),
        json.path("lazyCheckpoint").asBoolean(),
        json.path("resumeSameEpoch").asBoolean(),
        json.path("oldNews").asBoolean(),
        json.path("lateEpochFile").asBoolean(),
        json.path("lateReplies").asBoolean());
  }
}
