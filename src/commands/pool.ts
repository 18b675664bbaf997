/** Works on all items, so many at a time; results in the order of the items. Takes no new one once `signal` is aborted. */
export async function inPool<T, R>(
  items: readonly T[],
  atATime: number,
  signal: AbortSignal,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[][] = items.map(() => []);
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length && !signal.aborted) {
      const index = next++;
      results[index] = [await work(items[index] as T)];
    }
  };
  await Promise.all(Array.from({ length: Math.min(atATime, items.length) }, worker));
  return results.flat();
}
