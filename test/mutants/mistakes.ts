/** Classic mistakes, one change each: all of them must be caught. `before` stands once in the file. */
export interface Mutant {
  readonly name: string;
  /** Under src/replica. */
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

export const mistakes: readonly Mutant[] = [
  {
    name: 'an epoch ends one offset too early',
    file: 'epoch-cache.ts',
    before: 'return answer(lookup, floor.epoch, higher.start);',
    after: 'return answer(lookup, floor.epoch, higher.start - 1);',
  },
  {
    name: 'the next higher epoch may be the asked one',
    file: 'epoch-cache.ts',
    before: 'cache.find((entry) => entry.epoch > asked)',
    after: 'cache.find((entry) => entry.epoch >= asked)',
  },
  {
    name: 'an entry at the cut survives it',
    file: 'epoch-cache.ts',
    before: 'return cache.filter((entry) => entry.start < endOffset);',
    after: 'return cache.filter((entry) => entry.start <= endOffset);',
  },
  {
    name: 'the cache is not cut with the log',
    file: 'log.ts',
    before: 'if (cuts || profile.clearsAtEnd) disk.epochCache = truncateFromEnd(disk.epochCache, offset);',
    after: '',
  },
  {
    name: 'the flushed part is not cut with the log',
    file: 'log.ts',
    before: 'disk.flushed = Math.min(disk.flushed, offset);',
    after: '',
  },
  {
    name: "the reply's epoch is ignored",
    file: 'truncation.ts',
    before: "if (profile.truncation === 'offsetOnly' || answer.epoch === UNDEFINED_EPOCH) return byOffset;",
    after: 'return byOffset;',
  },
  {
    name: 'one round is taken for enough',
    file: 'truncation.ts',
    before: 'offset: Math.min(ownEnd.endOffset, own.leo), done: false',
    after: 'offset: Math.min(ownEnd.endOffset, own.leo), done: true',
  },
  {
    name: "a follower keeps its log where its leader's answer is longer",
    file: 'truncation.ts',
    before: 'offset: Math.min(ownEnd.endOffset, answer.endOffset, own.leo)',
    after: 'offset: Math.min(ownEnd.endOffset, own.leo)',
  },
  {
    name: 'where the leader knows nothing the log stays as it is',
    file: 'truncation.ts',
    before: 'return Math.min(hw, leo);',
    after: 'return leo;',
  },
  {
    name: 'the high watermark is taken before the cut',
    file: 'fetcher.ts',
    before: 'if (profile.hwBeforeTruncation) setHighWatermark',
    after: 'setHighWatermark',
  },
  {
    name: 'a follower never takes a lower high watermark than its own',
    file: 'fetcher.ts',
    before: 'setHighWatermark(world.config, replica, Math.min(response.hw, logEndOffset(replica)));',
    after: 'setHighWatermark(world.config, replica, Math.max(replica.memory.hw, response.hw));',
  },
  {
    name: "a follower asks for its leader's epoch, not for its own latest",
    file: 'fetcher.ts',
    before: 'asked: latestEpoch(disk.epochCache),',
    after: 'asked: memory.leaderEpoch,',
  },
  {
    name: 'a fenced follower goes on',
    file: 'fetcher.ts',
    before: "if (error === 'FENCED_LEADER_EPOCH')",
    after: "if (error === 'UNKNOWN_LEADER_EPOCH')",
  },
  {
    name: 'the request of an older epoch is let through',
    file: 'requests.ts',
    before: "if (request.leaderEpoch < leaderEpoch) return 'FENCED_LEADER_EPOCH';",
    after: '',
  },
  {
    name: 'the request of a newer epoch is let through',
    file: 'requests.ts',
    before: "if (request.leaderEpoch > leaderEpoch) return 'UNKNOWN_LEADER_EPOCH';",
    after: '',
  },
  {
    name: 'a fetch is counted before its reply is read',
    file: 'requests.ts',
    before: 'return profile.countsBeforeReply ? hw : before;',
    after: 'return hw;',
  },
  {
    name: 'the fetch of a diverged follower is counted',
    file: 'requests.ts',
    before: 'if (profileOf(world, id).countsDiverging) countFetch',
    after: 'countFetch',
  },
  {
    name: 'a log that ends where the epoch ends is taken for diverging',
    file: 'requests.ts',
    before: 'end.endOffset < request.offset',
    after: 'end.endOffset <= request.offset',
  },
  {
    name: 'a leader does not note its epoch when elected',
    file: 'leader.ts',
    before: 'if (profile.epochCache && profile.entryOnElection) {',
    after: 'if (profile.epochCache && profile.entryOnElection && disk.log.length < 0) {',
  },
  {
    name: 'a leader that steps down still knows its followers',
    file: 'follower.ts',
    before: 'memory.remoteLeo = unknownOffsets(config);',
    after: '',
  },
  {
    name: 'the high watermark goes back',
    file: 'leader.ts',
    before: 'waits ? hw : Math.max(hw, reached)',
    after: 'waits ? hw : reached',
  },
  {
    name: 'the high watermark waits for replicas outside the ISR',
    file: 'leader.ts',
    before: 'for (const member of isr) if',
    after: 'for (const member in of) if',
  },
  {
    name: 'a follower joins the ISR by the high watermark alone',
    file: 'isr.ts',
    before: "profileOf(world, id).isrJoin === 'epochStart' && offset < epochStart",
    after: "profileOf(world, id).isrJoin === 'epochStart' && offset < hw",
  },
  {
    name: 'a zombie changes the ISR',
    file: 'controller.ts',
    before: 'return leaderEpoch === epoch ? null :',
    after: 'return leaderEpoch <= epoch ? null :',
  },
  {
    name: 'a dead replica stays in the ISR',
    file: 'controller.ts',
    before: 'isEligible(world, id) ? [id] : liveIsr(world)',
    after: 'isEligible(world, id) ? [id] : world.state.controller.isr',
  },
  {
    name: 'a replica outside the ISR is elected',
    file: 'controller.ts',
    before: 'if (!controller.isr.includes(id)) return',
    after: 'if (controller.isr.length === 0) return',
  },
  {
    name: 'a request outlives the news of another leader',
    file: 'follower.ts',
    before: 'forgetUnderWay(world, id);',
    after: '',
  },
  {
    name: 'a message outlives a crash',
    file: 'machine.ts',
    before: 'dropConnections(world.state, id);',
    after: '',
  },
  {
    name: 'epoch entries without a record survive a restart',
    file: 'machine.ts',
    before: 'truncateFromEnd(recoverEpochs(profile.assign, epochFile, beginnings), log.length)',
    after: 'recoverEpochs(profile.assign, epochFile, beginnings)',
  },
  {
    name: 'a producer with acks=all is told at once',
    file: 'leader.ts',
    before: "if (acks === 'all') memory.pending = [...memory.pending, offset];\n  else world",
    after: "if (acks === 'all') memory.pending = [...memory.pending, offset];\n  world",
  },
];
