/** An integer from 0 below the limit. */
export type Random = (limit: number) => number;

/** Mulberry32: small, seeded, good enough to choose with. */
export function random(seed: number): Random {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return Math.floor((((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}

/** What breaks parsers. */
const TOKENS = [
  ...['"', '\\', '\\"', '<<', '>>', '{', '}', '[', ']', '(', ')', ',', ':>', '@@', '|->', '..', '->', '/\\', ':', '-'],
  ...[
    'SUBSET ',
    'UNION ',
    ' \\X ',
    ' \\cup ',
    'TRUE',
    '1..99999',
    '-2147483649',
    '9'.repeat(40),
    '<expression ',
    '\u0000',
    '\ufeff',
  ],
  ...[
    'é',
    '本',
    '\ud800',
    '\u00a0',
    '\r\n',
    '\n\n',
    '\n/\\ ',
    ' = ',
    '#tup',
    '{"#map":[[',
    '{"#bigint":"',
    'null',
    '1e999',
    '\\u12',
  ],
  ...[
    '@!@!@STARTMSG 2217:4 @!@!@\n',
    '\n@!@!@ENDMSG 2217 @!@!@\n',
    '@!@!@STARTMSG 2110:1 @!@!@\n',
    '\n1: <',
    'State 1: <',
  ],
  '__proto__',
];

/** One to four changes: parts dropped, doubled, moved, cut off, taken from another text, or tokens put in. */
export function mutate(text: string, other: string, next: Random): string {
  let mutated = text;
  for (let changes = next(4); changes >= 0; changes--) {
    const at = next(mutated.length + 1);
    const end = Math.min(mutated.length, at + next(next(3) === 0 ? 400 : 8));
    const part = mutated.slice(at, end);
    const from = next(other.length + 1);
    const foreign = other.slice(from, from + next(60));
    const edits = [
      () => mutated.slice(0, at) + mutated.slice(end),
      () => mutated.slice(0, end) + part.repeat(1 + next(next(20) === 0 ? 500 : 3)) + mutated.slice(end),
      () => mutated.slice(0, at) + foreign + mutated.slice(end),
      () => mutated.slice(0, at) + TOKENS[next(TOKENS.length)]! + mutated.slice(at),
      () =>
        mutated.slice(0, at) +
        TOKENS[next(TOKENS.length)]!.repeat(1 + next(next(20) === 0 ? 600 : 2)) +
        mutated.slice(end),
      () => (next(4) === 0 ? mutated.slice(0, at) : mutated),
    ];
    mutated = edits[next(edits.length)]!();
  }
  return mutated.slice(0, 60_000);
}
