/** An epoch's look: a colour, and a pattern for whoever does not see the colours. Its label stands in every cell besides. */
const LOOKS = 6;

export function lookOf(epoch: number): number {
  return ((Math.max(1, epoch) - 1) % LOOKS) + 1;
}

export function EpochPatterns() {
  return (
    <defs>
      {Array.from({ length: LOOKS }, (_, index) => index + 1).map((look) => (
        <pattern
          key={look}
          id={`epoch-${look}`}
          width="8"
          height="8"
          patternUnits="userSpaceOnUse"
          class={`pattern e${look}`}
        >
          <Pattern look={look} />
        </pattern>
      ))}
      <marker
        id="arrow"
        viewBox="0 0 8 8"
        refX="6.5"
        refY="4"
        markerWidth="7"
        markerHeight="7"
        orient="auto-start-reverse"
      >
        <path d="M0 0.5L7 4L0 7.5z" class="arrowhead" />
      </marker>
    </defs>
  );
}

function Pattern({ look }: { look: number }) {
  switch (look) {
    case 1:
      return null;
    case 2:
      return <path d="M-2 10L10 -2M-2 2L2 -2M6 10L10 6" />;
    case 3:
      return <circle cx="4" cy="4" r="1.3" class="dot" />;
    case 4:
      return <path d="M0 4H8" />;
    case 5:
      return <path d="M4 0V8M0 4H8" />;
    default:
      return <path d="M-2 -2L10 10M6 -2L10 2M-2 6L2 10" />;
  }
}
