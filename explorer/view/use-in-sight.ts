import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/** Where there is little room (the style sheet says when), the drawing is brought into sight with the first step. */
export function useInSight(ref: RefObject<HTMLElement | null>, index: number): void {
  useEffect(() => {
    const element = ref.current;
    if (index === 0 || element === null || !matchMedia('(max-width: 640px)').matches) return;
    const { top } = element.getBoundingClientRect();
    if (top < 0 || top > 80) element.scrollIntoView({ block: 'start' });
  }, [index === 0]);
}
