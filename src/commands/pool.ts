/**
 * Works on all items, so many at a time; results in the order of the items. Takes no new one once `signal` is aborted. Where one
 * fails, the others are stopped by the signal that they are given, and waited for.
 */
export async function inPool<T, R>(
  items: readonly T[],
  atATime: number,
  signal: AbortSignal,
  work: (item: T, signal: AbortSignal) => Promise<R>,
): Promise<R[]> {
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  const results: R[][] = items.map(() => []);
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length && !stop.aborted) {
      const index = next++;
      results[index] = [await work(items[index] as T, stop)];
    }
  };
  const workers = Array.from({ length: Math.min(atATime, items.length) }, () =>
    worker().catch((error: unknown) => {
      failed.abort(error);
    }),
  );
  await Promise.all(workers);
  failed.signal.throwIfAborted();
  return results.flat();
}
