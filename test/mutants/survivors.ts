/** A mutant that nothing tells from the original, and why nothing can. */
export interface Survivor {
  readonly file: string;
  /** As the run names it. */
  readonly name: string;
  readonly why: string;
}

/** Held against a run of all mutants: each that survives must be here, and each that is here must survive. */
export const survivors: readonly Survivor[] = [];
