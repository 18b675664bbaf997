import { useEffect, useRef } from 'preact/hooks';

/** A browser takes a change of the address now and then, not with every step of a slider. */
const SHORTEST_MS = 300;

/** The address says where somebody is: at once, or soon where it has just changed. */
export function useHash(hash: string): void {
  const written = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const write = () => {
      written.current = performance.now();
      if (hash !== location.hash) history.replaceState(null, '', hash);
    };
    const waitMs = written.current + SHORTEST_MS - performance.now();
    if (waitMs <= 0) return write();
    const timer = setTimeout(write, waitMs);
    return () => clearTimeout(timer);
  }, [hash]);
}
