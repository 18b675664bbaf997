import type { Part } from '../../../src/page/instrument.ts';

/**
 * The parts of the implementation that ran. Each of its files announces its parts when it is loaded (the build puts that
 * in), and marks them as they run while somebody records.
 */
export interface RanPart extends Part {
  readonly file: string;
}

const parts: RanPart[] = [];
let recorded: Set<RanPart> | null = null;

/** Called by the instrumented files. */
export function registerFile(file: string, own: readonly Part[]): (index: number) => void {
  const first = parts.length;
  parts.push(...own.map((part) => ({ ...part, file })));
  return (index) => {
    recorded?.add(parts[first + index]!);
  };
}

export function allParts(): readonly RanPart[] {
  return parts;
}

/** The parts that run during `doIt`, in the order in which they first do. */
export function recordParts(doIt: () => void): RanPart[] {
  const before = recorded;
  const own = new Set<RanPart>();
  recorded = own;
  try {
    doIt();
  } finally {
    recorded = before;
  }
  return [...own];
}
