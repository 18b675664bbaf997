package leaderepoch;

/** The work of a broker's fetcher of the one partition, call by call, and how it ended. */
final class Fetching {
  private final ParkedThread parked = new ParkedThread();
  private boolean begunAnew;
  private boolean dead;
  private boolean halted;

  /** Kafka has given the partition to a thread: its state begins anew. */
  void begin() {
    begunAnew = true;
    dead = false;
  }

  boolean takeBegunAnew() {
    boolean was = begunAnew;
    begunAnew = false;
    return was;
  }

  /** An exception has left the body of the thread's loop, and has ended it (ShutdownableThread.run). */
  boolean dead() {
    return dead;
  }

  /** It was a FatalExitError, which stops the broker. */
  boolean halted() {
    return halted;
  }

  /** Called by Kafka, on the fetcher's thread: its request waits for our reply. */
  Object call(Object request) {
    return parked.call(request);
  }

  /** It waits for a reply. */
  boolean busy() {
    return parked.busy();
  }

  /** Runs a piece of work until it makes a request, which is returned, or ends. */
  Object run(Runnable work) {
    return endedIfNone(parked.start(work));
  }

  /** Returns a further request that the same piece of work makes, if any. */
  Object deliver(Object response) {
    return endedIfNone(parked.reply(response));
  }

  /** The connection breaks, and the piece of work ends by it. */
  void lose() {
    if (!parked.busy()) return;
    parked.lose();
    endedIfNone(null);
  }

  /** The partition is taken from its thread, and with it goes what was under way, however that ends. */
  void drop() {
    parked.lose();
  }

  private Object endedIfNone(Object request) {
    Throwable failure = parked.failure();
    if (request != null || failure == null) return request;
    failure.printStackTrace();
    if (failure.getClass().getSimpleName().equals("FatalExitError")) halted = true;
    else dead = true;
    return null;
  }
}
