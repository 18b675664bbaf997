import type { StateGraph } from '../graph/index.ts';
import { plainOf } from './anything.ts';

/** Which way each rule can go, as spec/LeaderEpoch.tla has them. What a model never takes shows what it does not exercise. */
export const BRANCHES: Readonly<Record<string, readonly string[]>> = {
  BecomeFollower: ['asks first', 'fetches at once', 'goes on'],
  HandleFetch: ['refused', 'out of range', 'diverging', 'records', 'nothing new'],
  HandleFetchResponse: [
    ...['not awaited', 'refused', 'fenced', 'cuts to the end of its leader', 'halts', 'cuts what diverges'],
    ...['appends', 'nothing new'],
  ],
  HandleOffsetsForLeaderEpoch: ['refused', 'unknown', 'offset alone', 'epoch and offset'],
  HandleOffsetsForLeaderEpochResponse: [
    ...['not awaited', 'refused', 'fenced', 'own high watermark', 'cuts', 'cuts nothing', 'asks again'],
  ],
};

interface Message {
  readonly type: string;
  readonly follower: string;
  readonly leader: string;
  readonly leaderEpoch: number;
  readonly offset: number;
  readonly error: string;
  readonly epoch: number;
  readonly endOffset: number;
  readonly diverging: { readonly endOffset: number };
  readonly records: readonly unknown[];
}

type PerReplica<T> = Readonly<Record<string, T>>;

interface Seen {
  readonly network: readonly Message[];
  readonly role: PerReplica<string>;
  readonly leader: PerReplica<string>;
  readonly leaderEpoch: PerReplica<number>;
  readonly fetchState: PerReplica<string>;
  readonly log: PerReplica<readonly unknown[]>;
}

const LOOKED_AT = ['network', 'role', 'leader', 'leaderEpoch', 'fetchState', 'log'] as const;

/** Tells the branch of each step of a graph; null where the rule has but one, or the graph is another specification's. */
export function branchesOf(graph: StateGraph): (action: string, from: number, to: number) => string | null {
  const columns = LOOKED_AT.map((name) => graph.variables.indexOf(name));
  if (columns.includes(-1)) return () => null;
  const plain: unknown[] = [];
  const seen = (state: number): Seen =>
    Object.fromEntries(
      LOOKED_AT.map((name, index) => {
        const line = graph.lineOf(state, columns[index]!);
        plain[line] ??= plainOf(graph.valueOf(line));
        return [name, plain[line]];
      }),
    ) as unknown as Seen;
  return (action, from, to) => (action in BRANCHES ? branchOf(action, seen(from), seen(to)) : null);
}

function branchOf(action: string, before: Seen, after: Seen): string | null {
  const gone = (one: Seen, other: Seen) =>
    one.network.filter((message) => !other.network.some((kept) => JSON.stringify(kept) === JSON.stringify(message)));
  if (action === 'BecomeFollower') return becomeFollower(before, after);
  const [message] = action.endsWith('Response') ? gone(before, after) : gone(after, before);
  if (message === undefined) return null;
  switch (action) {
    case 'HandleFetch':
      return handleFetch(message);
    case 'HandleFetchResponse':
      return handleFetchResponse(message, before, after);
    case 'HandleOffsetsForLeaderEpoch':
      return handleOffsets(message);
    default:
      return handleOffsetsResponse(message, before, after);
  }
}

function becomeFollower(before: Seen, after: Seen): string | null {
  const id = Object.keys(before.role).find((one) => before.leaderEpoch[one] !== after.leaderEpoch[one]);
  if (id === undefined) return null;
  const goesOn = before.role[id] === 'follower' && before.leader[id] === after.leader[id];
  if (after.fetchState[id] === 'truncating')
    return goesOn && before.fetchState[id] === 'truncating' ? 'goes on' : 'asks first';
  return goesOn && before.fetchState[id] === after.fetchState[id] ? 'goes on' : 'fetches at once';
}

function handleFetch({ diverging, error, records }: Message): string {
  if (error === 'OFFSET_OUT_OF_RANGE') return 'out of range';
  if (error !== 'none') return 'refused';
  if (diverging.endOffset !== -1) return 'diverging';
  return records.length > 0 ? 'records' : 'nothing new';
}

function handleFetchResponse(message: Message, before: Seen, after: Seen): string {
  const { follower: id, leaderEpoch, offset } = message;
  const isCurrent = isAwaited(message, before, 'fetching') && offset === before.log[id]!.length;
  if (!isCurrent || (message.error !== 'none' && leaderEpoch !== before.leaderEpoch[id])) return 'not awaited';
  const sent = handleFetch(message);
  if (sent === 'out of range') return after.role[id] === 'halted' ? 'halts' : 'cuts to the end of its leader';
  if (sent === 'refused') return message.error === 'FENCED_LEADER_EPOCH' ? 'fenced' : 'refused';
  return sent === 'diverging' ? 'cuts what diverges' : sent === 'records' ? 'appends' : 'nothing new';
}

function handleOffsets({ endOffset, epoch, error }: Message): string {
  if (error !== 'none') return 'refused';
  if (endOffset === -1) return 'unknown';
  return epoch === -1 ? 'offset alone' : 'epoch and offset';
}

function handleOffsetsResponse(message: Message, before: Seen, after: Seen): string {
  const { error, follower: id } = message;
  if (!isAwaited(message, before, 'truncating')) return 'not awaited';
  if (error !== 'none') return error === 'FENCED_LEADER_EPOCH' ? 'fenced' : 'refused';
  if (after.fetchState[id] === 'truncating') return 'asks again';
  if (message.endOffset === -1) return 'own high watermark';
  return after.log[id]!.length < before.log[id]!.length ? 'cuts' : 'cuts nothing';
}

function isAwaited({ follower, leader }: Message, before: Seen, state: string): boolean {
  return (
    before.role[follower] === 'follower' && before.leader[follower] === leader && before.fetchState[follower] === state
  );
}
