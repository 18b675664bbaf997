/** What must not outlive this process. */
export interface Guarded {
  /** This process got a signal: stop. `hard`: it got another one meanwhile. */
  readonly stop: (signal: NodeJS.Signals, hard: boolean) => void;
  /** This process exits now: only synchronous work is done. */
  readonly destroy: () => void;
}

const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const guarded = new Set<Guarded>();
let received: NodeJS.Signals | null = null;

/**
 * Handlers for signals and for exit, there only while something is guarded. Afterwards a signal that came meanwhile is
 * sent again if nobody else listens to it, so that this process dies of it as if there had been no handler; a program
 * that listens itself decides itself. Call the result once the thing is gone.
 */
export function guard(thing: Guarded): () => void {
  if (guarded.size === 0) {
    for (const signal of SIGNALS) process.on(signal, onSignal);
    process.on('exit', onExit);
  }
  guarded.add(thing);
  return () => {
    if (!guarded.delete(thing) || guarded.size > 0) return;
    for (const signal of SIGNALS) process.off(signal, onSignal);
    process.off('exit', onExit);
    const signal = received;
    received = null;
    if (signal !== null && process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
}

function onSignal(signal: NodeJS.Signals): void {
  const hard = received !== null;
  received = signal;
  for (const thing of guarded) thing.stop(signal, hard);
}

function onExit(): void {
  for (const thing of guarded) thing.destroy();
}
