/** Counts as TLC prints them. `null`: not printed, or not applicable (TLC prints -1 then). */
export interface Counts {
  readonly generated: number | null;
  readonly distinct: number | null;
  readonly queueLeft: number | null;
}

/**
 * What the JVM's locale may put between groups of digits: 5,001  5.001  5'001  5 001 with one of two no-break spaces. With a bound, for
 * a text of nothing but digits would be gone through from each of them.
 */
const NUMBER = "(-?\\d[\\d.,'’\\u00a0\\u202f]{0,30})";
const GENERATED = new RegExp(`${NUMBER} states? generated`);
const DISTINCT = new RegExp(`${NUMBER} distinct states? found`);
const QUEUE = new RegExp(`${NUMBER} states? left on queue`);
const DEPTH = new RegExp(`Progress\\(${NUMBER}\\)|state graph search is ${NUMBER}`);
const INITIAL_DISTINCT = new RegExp(`${NUMBER} distinct states? generated|with ${NUMBER} of them distinct`);
const SIMULATED = new RegExp(`number of states generated: ${NUMBER}|Progress: ${NUMBER} states? checked`);

/** "5.001" of a German JVM is five thousand and one: a count has no decimals. */
export function parseCount(text: string): number | null {
  const digits = text.replace(/[.,'’\s\u00a0\u202f]/g, '');
  return /^\d{1,15}$/.test(digits) ? Number(digits) : null;
}

/** Reads a 2200, 2199, 2204, 2205, 2206, 2209 or 2210. */
export function readCounts(text: string): Counts {
  return {
    generated: read(GENERATED, text) ?? read(SIMULATED, text),
    distinct: read(DISTINCT, text),
    queueLeft: read(QUEUE, text),
  };
}

/** Reads the depth of a 2200 or a 2194, in levels: the initial states are level 1. */
export function readDepth(text: string): number | null {
  return read(DEPTH, text);
}

/** Reads a 2190, 2191 or 2208. */
export function readInitialStates(text: string): number | null {
  return read(INITIAL_DISTINCT, text);
}

/** Reads a 2186: "Finished in 8317ms at", with newer releases outside `-tool` also "01min 02s". */
export function readDurationMs(text: string): number | null {
  const milliseconds = /Finished in (\d+)ms/.exec(text);
  if (milliseconds !== null) return Number(milliseconds[1]);
  const clock = /Finished in (?:(\d+)d )?(?:(\d+)h )?(?:(\d+)min )?(\d+)s/.exec(text);
  if (clock === null) return null;
  const [days, hours, minutes, seconds] = clock.slice(1, 5).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
  ];
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
}

/** Reads a 2193: `calculated (optimistic):  val = 6.5E-19`, and after a longer run `based on the actual fingerprints:  val = …`. */
export function readCollision(text: string): number | null {
  const estimates = [...text.matchAll(/val = ([\d.]+(?:E-?\d+)?)/g)].map(([, digits]) => Number(digits));
  return estimates.length === 0 || estimates.some(Number.isNaN) ? null : Math.max(...estimates);
}

function read(pattern: RegExp, text: string): number | null {
  const match = pattern.exec(text);
  const number = match?.[1] ?? match?.[2];
  return number === undefined ? null : parseCount(number);
}
