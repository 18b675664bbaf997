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
const ONE_EACH = 'There is one of each at most: a follower has one message under way, an epoch one election.';
const DISTINCT = 'What is compared is never equal (names of replicas, offsets, epochs), and only the sign counts.';

/** Held against a run of all mutants: each that survives must be here, and each that is here must survive. */
export const survivors: readonly Survivor[] = [
  {
    file: 'actions.ts',
    name: 'eachReplicaAndNews: [...state.oldNews, state.controller].filter(({ leader }) => leader !== NO_O… → [...state.oldNews, state.controller]',
    why: `${OFFERS} Nobody can follow no leader, or be it.`,
  },
  {
    file: 'actions.ts',
    name: 'eachUnflushed: { length: logEndOffset(replica) - flushed + 1 } → { length: logEndOffset(replica) + flushed + 1 }',
    why: `${OFFERS} Nobody keeps more records than there are.`,
  },
  { file: 'actions.ts', name: 'listed: list === undefined → true', why: LISTED },
  {
    file: 'actions.ts',
    name: 'listed: { list = make(config.replicas); known.set(config, list); } → { list = make(config.replicas); }',
    why: LISTED,
  },
  {
    file: 'cluster.ts',
    name: 'step: TABLE[action].take(this.#world, ...args, ...(id === undefined ? [] : [id])); → TABLE[action].take(this.#world, ...args, ...(false ? [] : [id]));',
    why: 'An undefined argument more, which no action looks at.',
  },
  {
    file: 'cluster.ts',
    name: '#malformed: i < takes.length → i <= takes.length',
    why: 'One argument too far there is nothing that an action takes, so nothing to refuse.',
  },
  {
    file: 'controller.ts',
    name: 'newsFor: oldNews.find((old) => old.epoch === epoch) → oldNews.findLast((old) => old.epoch === epoch)',
    why: ONE_EACH,
  },
  {
    file: 'copy.ts',
    name: 'canonical: const stranger = Object.keys(state.replicas).find((id) => !replicas[id]); → const stranger = Object.keys(state.replicas).findLast((id) => !replicas[id]…',
    why: 'Of several strangers it names another one.',
  },
  {
    file: 'copy.ts',
    name: 'canonicalNews: isr === news.isr ? news : { epoch: news.epoch, leader: news.leader, isr } → false ? news : { epoch: news.epoch, leader: news.leader, isr }',
    why: 'A copy where the original would do: slower, and nothing else.',
  },
  {
    file: 'copy.ts',
    name: 'canonicalProposal: return isr === proposal.isr ? proposal : { ...proposal, isr }; → return false ? proposal : { ...proposal, isr };',
    why: 'A copy where the original would do: slower, and nothing else.',
  },
  {
    file: 'copy.ts',
    name: 'ordered: if (by(list[i - 1]!, list[i]!) > 0) return [...list].sort(by); → if (by(list[i - 1]!, list[i]!) >= 0) return [...list].sort(by);',
    why: DISTINCT,
  },
  {
    file: 'copy.ts',
    name: 'compare: { return a < b ? -1 : a > b ? 1 : 0; } → { return a <= b ? -1 : a > b ? 1 : 0; }',
    why: DISTINCT,
  },
  {
    file: 'copy.ts',
    name: 'compare: { return a < b ? -1 : a > b ? 1 : 0; } → { return a < b ? -2 : a > b ? 1 : 0; }',
    why: DISTINCT,
  },
  {
    file: 'copy.ts',
    name: 'compare: { return a < b ? -1 : a > b ? 1 : 0; } → { return a < b ? -1 : true ? 1 : 0; }',
    why: DISTINCT,
  },
  {
    file: 'copy.ts',
    name: 'compare: { return a < b ? -1 : a > b ? 1 : 0; } → { return a < b ? -1 : a >= b ? 1 : 0; }',
    why: DISTINCT,
  },
  {
    file: 'copy.ts',
    name: 'compare: { return a < b ? -1 : a > b ? 1 : 0; } → { return a < b ? -1 : a > b ? 2 : 0; }',
    why: DISTINCT,
  },
  {
    file: 'copy.ts',
    name: 'compare: { return a < b ? -1 : a > b ? 1 : 0; } → { return a < b ? -1 : a > b ? 1 : 1; }',
    why: DISTINCT,
  },
  {
    file: 'epoch-cache.ts',
    name: 'assign: if (last && epoch === last.epoch && start >= last.start) return cache; → if (last && epoch === last.epoch && start > last.start) return cache;',
    why: 'The entry that is there goes, and the same comes back.',
  },
  {
    file: 'epoch-cache.ts',
    name: 'assign: ...cache.filter((entry) => entry.epoch < epoch && entry.start < start) → ...cache.filter((entry) => entry.epoch <= epoch && entry.start < start)',
    why: 'An entry of the same epoch that begins before was found one line above.',
  },
  {
    file: 'follower.ts',
    name: "asks: truncation === 'highWatermark' || truncation === 'insideFetch' → truncation === '' || truncation === 'insideFetch'",
    why: 'A rule that cuts to its high watermark has no epoch cache, so it never has an epoch to ask about.',
  },
  {
    file: 'leader.ts',
    name: "becomeLeader: memory.role !== 'leader' → false",
    why: 'Who does not lead has none of these: a start and becomeFollower have cleared them.',
  },
  {
    file: 'leader.ts',
    name: 'becomeLeader: memory.remoteLeo = unknownOffsets(world.config); → nothing',
    why: 'Who does not lead has none of these: a start and becomeFollower have cleared them.',
  },
  {
    file: 'leader.ts',
    name: 'becomeLeader: memory.remoteHw = unknownOffsets(world.config); → nothing',
    why: 'Who does not lead has none of these: a start and becomeFollower have cleared them.',
  },
  {
    file: 'leader.ts',
    name: 'becomeLeader: memory.pending = []; → nothing',
    why: 'Who does not lead has none of these: a start and becomeFollower have cleared them.',
  },
  {
    file: 'log.ts',
    name: 'append: if (records.length === 0) return; → if (false) return;',
    why: 'Without records it appends none.',
  },
  {
    file: 'log.ts',
    name: 'truncateTo: if (cuts) disk.log = disk.log.slice(0, offset); → if (true) disk.log = disk.log.slice(0, offset);',
    why: 'A log cut at its end, or behind it, is the same log.',
  },
  {
    file: 'messages.ts',
    name: 'isDiverging: … epoch !== UNDEFINED_EPOCH || diverging.endOffset !== … → &&',
    why: 'Where a leader tells a follower to cut, it names both epoch and offset.',
  },
  {
    file: 'network.ts',
    name: 'underWay: { return state.network.find((message) => message.follower === follower); } → { return state.network.findLast((message) => message.follower === follower)…',
    why: ONE_EACH,
  },
  {
    file: 'network.ts',
    name: 'send: later = network.findIndex((other) => other.follower > message.follower) → later = network.findIndex((other) => other.follower >= message.follower)',
    why: ONE_EACH,
  },
  {
    file: 'network.ts',
    name: 'whyNotHandle: isAlive(replicaOf(world, leader)) → true',
    why: 'With a leader that dies go the requests to it.',
  },
  {
    file: 'network.ts',
    name: 'take: message?.type !== type → false',
    why: 'Its callers have asked whyNotHandle or whyNotReceive, which say the same.',
  },
  {
    file: 'network.ts',
    name: 'dropUnderWay: underWay(state, follower) → true',
    why: 'If there is nothing to drop, nothing is dropped.',
  },
  {
    file: 'purgatory.ts',
    name: 'completePendingProduce: if (pending.length === 0 || pending[0]! >= hw) return; → if (false) return;',
    why: 'It leaves early where nobody is to be answered; later it finds that out one by one.',
  },
  {
    file: 'purgatory.ts',
    name: 'completePendingProduce: if (pending.length === 0 || pending[0]! >= hw) return; → if (pending.length === 0 && pending[0]! >= hw) return;',
    why: 'It leaves early where nobody is to be answered; later it finds that out one by one.',
  },
  {
    file: 'purgatory.ts',
    name: 'completePendingProduce: if (pending.length === 0 || pending[0]! >= hw) return; → if (pending.length === 0 || pending[0]! > hw) return;',
    why: 'It leaves early where nobody is to be answered; later it finds that out one by one.',
  },
  {
    file: 'requests.ts',
    name: 'countFetch: memory.remoteHw[follower] !== knownHw → true',
    why: 'What is there is written again.',
  },
  {
    file: 'truncation.ts',
    name: "truncationFor: profile.truncation === 'offsetOnly' || answer.epoch === UNDEFINED_EPOCH → false",
    why: 'The answer to such a follower names no epoch; and for no epoch endOffsetFor says nothing, or the own log end: the cut is the same.',
  },
  {
    file: 'truncation.ts',
    name: "truncationFor: profile.truncation === 'offsetOnly' || answer.epoch === UNDEFINED_EPOCH → profile.truncation === '' || answer.epoch === UNDEFINED_EPOCH",
    why: 'The answer to such a follower names no epoch; and for no epoch endOffsetFor says nothing, or the own log end: the cut is the same.',
  },
  {
    file: 'truncation.ts',
    name: "truncationFor: profile.truncation === 'offsetOnly' || answer.epoch === UNDEFINED_EPOCH → profile.truncation === 'offsetOnly' && answer.epoch === UNDEFINED_EPOCH",
    why: 'The answer to such a follower names no epoch; and for no epoch endOffsetFor says nothing, or the own log end: the cut is the same.',
  },
];
