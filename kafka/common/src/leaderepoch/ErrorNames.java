package leaderepoch;

/** Kafka's errors by the names that docs/process-protocol.md has for them. */
final class ErrorNames {
  private ErrorNames() {}

  /** `kafkas`: the name of an `Errors`, of whatever release. */
  static String of(String kafkas) {
    switch (kafkas) {
      case "NONE":
        return "none";
      case "NOT_LEADER_FOR_PARTITION":
      case "NOT_LEADER_OR_FOLLOWER":
      case "UNKNOWN_TOPIC_OR_PARTITION":
      case "UNKNOWN_TOPIC_ID":
        return "NOT_LEADER";
      default:
        return kafkas;
    }
  }
}
