import { useLayoutEffect, useRef } from 'preact/hooks';
import { isBusy } from './use-keys.ts';

export interface TryKeys {
  /** Not while two rules are compared: there the keys step through both. */
  readonly isHere: boolean;
  forward(): void;
  back(): void;
}

/** On along the trace that is followed, and a step back. */
export function useTryKeys(keys: TryKeys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { isHere, forward, back } = latest.current;
      if (!isHere || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isBusy(event)) return;
      if (event.key === 'ArrowRight') forward();
      else if (event.key === 'ArrowLeft' || event.key === 'u') back();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
