const PATHS = {
  first: 'M4 3v10M13 3L6 8l7 5z',
  back: 'M11 3L4 8l7 5z',
  forward: 'M5 3l7 5-7 5z',
  last: 'M12 3v10M3 3l7 5-7 5z',
  play: 'M4 2.5L13 8l-9 5.5z',
  pause: 'M4 3h3v10H4zM9 3h3v10H9z',
} as const;

/** Drawn, for not every font has these signs. What it means is said by the button that it is in. */
export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg class="icon-drawing" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} fill="currentColor" stroke="currentColor" stroke-width="1.4" stroke-linejoin="round" />
    </svg>
  );
}
