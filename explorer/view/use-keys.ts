import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Player } from './use-player.ts';

/** The keys of the timeline, wherever the focus is, but where the keys mean something of their own. */
export function useKeys(player: Player): void {
  const latest = useRef(player);
  latest.current = player;
  // At once, not after the next frame: no key is lost when another trace is shown.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isBusy(event)) return;
      const does = KEYS[event.key];
      if (does === undefined) return;
      event.preventDefault();
      does(latest.current);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

const KEYS: Readonly<Record<string, (player: Player) => void>> = {
  ArrowRight: (player) => player.forward(),
  ArrowLeft: (player) => player.back(),
  Home: (player) => player.toFirst(),
  End: (player) => player.toLast(),
  ' ': (player) => player.toggle(),
};

/** Whether the element that has the focus uses this key itself. */
export function isBusy({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.matches('input, select, textarea, [role=tab]')) return true;
  return key === ' ' && target.matches('button, summary, a');
}
