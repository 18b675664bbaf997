package leaderepoch;

/** A step that cannot be taken as things are, or cannot be taken on this release at all. Data, not a failure. */
final class Refused extends RuntimeException {
  Refused(String reason) {
    super(reason, null, false, false);
  }
}
