/** A mutant that nothing tells from the original, and why nothing can. */
export interface Survivor {
  readonly file: string;
  /** As the run names it. */
  readonly name: string;
  readonly why: string;
}

const OFFERS =
  'Offers are only worth a try: what cannot be taken is refused by the guard, and so is what this one adds.';
const LISTED = 'The same list, made anew each time: slower, and nothing else.';

/** Held against a run of all mutants: each that survives must be here, and each that is here must survive. */
export const survivors: readonly Survivor[] = [
  { file: 'actions.ts', name: 'listed: list === undefined → true', why: LISTED },
  {
    file: 'actions.ts',
    name: 'listed: { list = make(config.replicas); known.set(config, list); } → { list = make(config.replicas); }',
    why: LISTED,
  },
  {
    file: 'actions.ts',
    name: 'eachReplicaAndNews: [...state.oldNews, state.controller].filter(({ leader }) => leader !== NO_O… → [...state.oldNews, state.controller]',
    why: `${OFFERS} Nobody can follow no leader, or be it.`,
  },
  {
    file: 'actions.ts',
    name: 'eachUnflushed: { length: logEndOffset(replica) - flushed + 1 } → { length: logEndOffset(replica) - flushed + 2 }',
    why: `${OFFERS} Nobody keeps more records than there are.`,
  },
  {
    file: 'actions.ts',
    name: 'eachUnflushed: { length: logEndOffset(replica) - flushed + 1 } → { length: logEndOffset(replica) + flushed + 1 }',
    why: `${OFFERS} Nobody keeps more records than there are.`,
  },
];
