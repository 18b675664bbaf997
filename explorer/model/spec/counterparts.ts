/**
 * Which part of the specification and which part of the implementation are the same: both by what their sources say there,
 * so that a test can hold that each is found, once, and an edit cannot misplace them.
 */
export interface Branch {
  /** A definition of the specification, and how the branch begins in it. */
  readonly definition: string;
  readonly spec: string;
  /** A file of src/replica, and a piece of it that ends in the statement (or arm) that the branch is. */
  readonly file: string;
  readonly code: string;
  /** The branch is taken where that statement does not run, though the definition does. */
  readonly unless?: boolean;
}

/** Definitions that an action uses, by the functions that stand for them. */
export const HELPERS: Readonly<Record<string, readonly string[]>> = {
  maybeIncrementHighWatermark: ['AdvanceHwFrom'],
  truncateTo: ['TruncateWithHw'],
  errorFor: ['Refusal'],
  endOffsetFor: ['EndOffsetFor'],
  truncationFor: ['TruncationByOffset', 'TruncationByEpochAndOffset'],
  startsAnew: ['StartsAnew'],
  asks: ['Asks'],
  tellsByFetching: ['TruncateUnasked'],
  countFetch: ['CountFetch'],
  processFetched: ['AppendFetched'],
  truncateDiverging: ['TruncateDiverging'],
  afterRefusal: ['AfterRefusal'],
  halt: ['Halt'],
  crash: ['Stop'],
  alterIsr: ['Confirm'],
  changeIsr: ['ChangeIsr'],
  handleFetchResponse: ['TakeFetched'],
  decide: ['Decide'],
  assign: ['Assign'],
};

/** Definitions that are used only where one of these statements runs; any other is, where its function runs. */
export const USED_WHERE: Readonly<Record<string, readonly { readonly file: string; readonly code: string }[]>> = {
  TruncationByOffset: [
    {
      file: 'truncation.ts',
      code: 'if (answer.endOffset === UNDEFINED_EPOCH_OFFSET) return { offset: toHighWatermark(own), done: true };',
    },
    {
      file: 'truncation.ts',
      code: "if (profile.truncation === 'offsetOnly' || answer.epoch === UNDEFINED_EPOCH) return byOffset;",
    },
    { file: 'truncation.ts', code: 'if (ownEnd.endOffset === UNDEFINED_EPOCH_OFFSET) return byOffset;' },
  ],
  TakeFetched: [
    { file: 'fetcher.ts', code: '(isDiverging(response)) truncateDiverging(world, id, response);' },
    { file: 'fetcher.ts', code: "(response.error === 'none') processFetched(world, id, response);" },
    { file: 'fetcher.ts', code: 'truncateTo(world.config, profile, replicaOf(world, id), response.endOffset);' },
    { file: 'fetcher.ts', code: 'else afterRefusal(world, id, response.error);' },
  ],
  TruncationByEpochAndOffset: [
    { file: 'truncation.ts', code: 'const ownEnd = endOffsetFor(profile, own.epochCache, own.leo, answer.epoch);' },
  ],
};

export const BRANCHES: readonly Branch[] = [
  ...branches('HandleFetch', 'requests.ts', [
    ['CASE Refusal(l, m) # "none" ->', 'send(world.state, { ...reply, error, endOffset: UNDEFINED_EPOCH_OFFSET });'],
    [
      '[] Refusal(l, m) = "none" /\\ OutOfRange(l, m) ->',
      "send(world.state, { ...reply, error: 'OFFSET_OUT_OF_RANGE', endOffset });",
    ],
    ["THEN /\\ remoteLeo' = [remoteLeo EXCEPT ![l][f] = Undefined]", '[follower]: -1 };'],
    [
      '[] Refusal(l, m) = "none" /\\ ~OutOfRange(l, m) /\\ Diverges(l, m) ->',
      'send(world.state, { ...reply, error, diverging: end, endOffset, hw: memory.hw });',
    ],
    ['[] OTHER ->', 'const before = memory.hw;'],
  ]),
  { ...branch('HandleFetch', 'ELSE CountNothing', 'requests.ts', '[follower]: -1 };'), unless: true },
  ...branches('HandleFetchResponse', 'fetcher.ts', [
    ['THEN Halt(f)', "if (profile.outOfRange === 'halt') halt(world, id);"],
    ['CASE ~IsCurrent(f, m)', 'if (!isCurrent(world, response)) return;'],
  ]),
  {
    ...branch(
      'HandleFetchResponse',
      '[] IsCurrent(f, m)  -> TakeFetched(f, m)',
      'fetcher.ts',
      '(!isCurrent(world, response)) return;',
    ),
    unless: true,
  },
  ...branches('TakeFetched', 'fetcher.ts', [
    ['CASE m.diverging # NoAnswer', 'if (isDiverging(response)) truncateDiverging(world, id, response);'],
    [
      '[] m.error = "OFFSET_OUT_OF_RANGE" -> Truncate(f, m.endOffset)',
      'else truncateTo(world.config, profile, replicaOf(world, id), response.endOffset);',
    ],
    [
      '[] m.error = "none" /\\ m.diverging = NoAnswer -> AppendFetched(f, m)',
      "else if (response.error === 'none') processFetched(world, id, response);",
    ],
    ['[] OTHER', 'else afterRefusal(world, id, response.error);'],
  ]),
  {
    ...branch(
      'HandleFetchResponse',
      "ELSE /\\ network' = network \\ {m}",
      'fetcher.ts',
      "=== 'halt') halt(world, id);",
    ),
    unless: true,
  },
  ...branches('BecomeFollower', 'follower.ts', [
    ['THEN UNCHANGED <<diskVars, hw, fetchState, network>>', 'if (!anew) return;'],
    ["ELSE /\\ network' = network \\ (UnderWay(f) \\ OutlivesNews(f))", 'forgetUnderWay(world, id);'],
    ['THEN /\\ fetchState\' = [fetchState EXCEPT ![f] = "truncating"]', "memory.fetchState = 'truncating';"],
    ['ELSE /\\ fetchState\' = [fetchState EXCEPT ![f] = "fetching"]', "memory.fetchState = 'fetching';"],
  ]),
  ...branches('TruncateUnasked', 'follower.ts', [
    ['THEN UNCHANGED <<diskVars, hw>>', 'if (tellsByFetching(profile, replica)) return;'],
    ['ELSE Truncate(f, Min(hw[f], Leo(f)))', 'truncateTo(config, profile, replica, toHighWatermark(own));'],
  ]),
  ...branches('HandleOffsetsForLeaderEpochResponse', 'fetcher.ts', [
    ['CASE ~IsAwaited(f, m, "truncating")', "if (!isAwaited(world, response, 'truncating')) return;"],
    [
      '[] IsAwaited(f, m, "truncating") /\\ m.error # "none" ->',
      'afterRefusal(world, id, response.error);\n    return;',
    ],
    ['[] OTHER ->', 'const truncation = truncationFor(profile, own, response);'],
  ]),
  ...branches('TruncationByEpochAndOffset', 'truncation.ts', [
    [
      '[] own.endOffset = Undefined -> TruncationByOffset(f, answer)',
      'if (ownEnd.endOffset === UNDEFINED_EPOCH_OFFSET) return byOffset;',
    ],
    ['[] own.epoch # answer.epoch  ->', 'return { offset: Math.min(ownEnd.endOffset, own.leo), done: false };'],
    ['[] OTHER ->', 'return { offset: Math.min(ownEnd.endOffset, answer.endOffset, own.leo), done: true };'],
  ]),
  {
    ...branch(
      'TruncationByEpochAndOffset',
      'CASE answer.endOffset = Undefined',
      'truncation.ts',
      'const ownEnd = endOffsetFor(profile, own.epochCache, own.leo, answer.epoch);',
    ),
    unless: true,
  },
  ...branches('EndOffsetFor', 'epoch-cache.ts', [
    ['THEN NoAnswer', 'if (asked === UNDEFINED_EPOCH && (guardUndefined || cache.length > 0)) return NO_ANSWER;'],
  ]),
  {
    ...branch(
      'EndOffsetFor',
      'ELSE CASE rule = "offsetOnly"',
      'epoch-cache.ts',
      '(guardUndefined || cache.length > 0)) return NO_ANSWER;',
    ),
    unless: true,
  },
];

function branch(definition: string, spec: string, file: string, code: string): Branch {
  return { definition, spec, file, code };
}

function branches(definition: string, file: string, pairs: readonly (readonly [string, string])[]): Branch[] {
  return pairs.map(([spec, code]) => branch(definition, spec, file, code));
}
