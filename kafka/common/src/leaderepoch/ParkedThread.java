package leaderepoch;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Kafka's fetcher thread works in a loop and blocks on the network. Here its loop's body is called by us, on a thread of
 * our own, and each request it makes parks that thread until we bring the reply: a step ends when the thread has parked or
 * its work is done. One thread runs at any time, so a schedule always has the same outcome.
 */
final class ParkedThread {
  private static final Object DONE = new Object();
  /** Kafka's own steps take a millisecond or two; this is for a machine that stands still, not for Kafka. */
  private static final long PATIENCE_SECONDS = 110;
  private static final ExecutorService POOL = Executors.newCachedThreadPool(work -> {
    Thread thread = new Thread(work, "fetcher");
    thread.setDaemon(true);
    return thread;
  });

  private final BlockingQueue<Object> events = new LinkedBlockingQueue<>();
  private volatile CompletableFuture<Object> answer;
  private volatile Throwable failure;
  private boolean busy;

  /** Called by Kafka, on the fetcher's thread. */
  Object call(Object request) {
    CompletableFuture<Object> mine = new CompletableFuture<>();
    answer = mine;
    events.add(request);
    try {
      return mine.get();
    } catch (ExecutionException e) {
      throw (RuntimeException) e.getCause();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Runs the work until it asks for something (returned) or ends (null). */
  Object start(Runnable work) {
    if (busy) throw new IllegalStateException("the fetcher has a request under way");
    busy = true;
    failure = null;
    POOL.execute(() -> {
      try {
        work.run();
      } catch (Throwable t) {
        failure = t;
      } finally {
        events.add(DONE);
      }
    });
    return await();
  }

  /** Brings the reply; returns the next request, or null if the work is done. */
  Object reply(Object response) {
    answer.complete(response);
    return await();
  }

  /** Breaks the connection, and every further one that the same piece of work tries. */
  void lose() {
    while (busy) {
      answer.completeExceptionally(new ConnectionLost());
      await();
    }
  }

  boolean busy() {
    return busy;
  }

  /** What the last piece of work ended with, null if it ended well. */
  Throwable failure() {
    return failure;
  }

  private Object await() {
    try {
      Object event = events.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (event == null) throw new IllegalStateException("Kafka's fetcher neither asked nor ended within " + PATIENCE_SECONDS + " s");
      if (event != DONE) return event;
      busy = false;
      return null;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Without a stack trace: Kafka logs it. */
  static final class ConnectionLost extends RuntimeException {
    ConnectionLost() {
      super("the connection was lost", null, false, false);
    }
  }
}
