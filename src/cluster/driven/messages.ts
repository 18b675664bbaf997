import type { ParkedRequest } from '../../brokers/gate.ts';
import type {
  FetchRequest,
  Message,
  OffsetsForLeaderEpochRequest,
  ReplicaId,
  StepResult,
} from '../../replica/index.ts';
import { answerIn, questionIn } from '../translate.ts';
import type { DrivenNode } from './node.ts';
import type { Nodes } from './nodes.ts';
import { needs, Refused } from './refusal.ts';

/** What a follower's fetcher has under way, and where it waits. */
interface UnderWay {
  readonly parked: ParkedRequest;
  readonly question: FetchRequest | OffsetsForLeaderEpochRequest;
  readonly message: Message;
}

const REQUEST_OF = {
  HandleFetch: 'FetchRequest',
  HandleOffsetsForLeaderEpoch: 'OffsetsForLeaderEpochRequest',
} as const;
const RESPONSE_OF = {
  HandleFetchResponse: 'FetchResponse',
  HandleOffsetsForLeaderEpochResponse: 'OffsetsForLeaderEpochResponse',
} as const;

/** Questions and answers between followers and leaders: on the wire, and held at the gates until they are handled. */
export class Messages {
  readonly #nodes: Nodes;
  readonly #underWay = new Map<ReplicaId, UnderWay>();

  constructor(nodes: Nodes) {
    this.#nodes = nodes;
  }

  /** In the order of who has asked. */
  get all(): Message[] {
    return [...this.#underWay].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { message }]) => message);
  }

  of(follower: ReplicaId): Message | undefined {
    return this.#underWay.get(follower)?.message;
  }

  async send(follower: DrivenNode, action: 'SendFetch' | 'SendOffsetsForLeaderEpoch'): Promise<StepResult> {
    needs(!this.#underWay.has(follower.id), `${follower.id} has a request under way already`);
    const { incarnation, memory } = await follower.live();
    const { fetchState, leader, leaderEpoch, role } = memory;
    const wanted = action === 'SendFetch' ? 'fetching' : 'truncating';
    needs(role === 'follower' && fetchState === wanted, `${follower.id} is ${role}, and ${fetchState}`);
    needs(this.#nodes.of(leader).isUp, `${follower.id} cannot reach ${leader}, which is down`);
    const parking = parkedAt(follower.gateTo(leader));
    await follower.order({ kind: 'ask' });
    const { result } = await follower.taken(action);
    const parked = await parking;
    const question = questionIn(parked.request, { follower: follower.id, leader, incarnation, leaderEpoch });
    this.#underWay.set(follower.id, { parked, question, message: question });
    return result;
  }

  async handle(
    leader: DrivenNode,
    follower: DrivenNode,
    action: 'HandleFetch' | 'HandleOffsetsForLeaderEpoch',
  ): Promise<StepResult> {
    const { message, parked, question } = this.#expected(follower.id, REQUEST_OF[action]);
    needs(message.leader === leader.id, `it is for ${message.leader}, not for ${leader.id}`);
    needs(leader.isUp, `${leader.id} is down`);
    const logEnd = (await leader.live()).disk.log.length;
    const [reply, { result }] = await Promise.all([parked.forward(), leader.taken(action)]);
    const answer = answerIn(reply, { frame: parked.request, question }, logEnd, leader.identify);
    this.#underWay.set(follower.id, { parked, question, message: answer });
    return result;
  }

  async deliver(follower: DrivenNode, action: 'HandleFetchResponse' | 'HandleOffsetsForLeaderEpochResponse') {
    const { parked } = this.#expected(follower.id, RESPONSE_OF[action]);
    this.#underWay.delete(follower.id);
    parked.deliver();
    return follower.taken(action);
  }

  /** The connection breaks, and the follower notices. */
  async lose(follower: DrivenNode): Promise<void> {
    const { message } = this.#underWay.get(follower.id) ?? {};
    needs(message !== undefined, `${follower.id} has nothing under way`);
    this.#underWay.delete(follower.id);
    follower.gateTo(message.leader).drop();
    await follower.taken('LoseMessage');
  }

  /** A fetcher that starts anew gives up what it has asked; not every release's does for the same leader. */
  async noticeGivenUp(follower: DrivenNode): Promise<void> {
    if (!(await follower.live()).isAsking) this.#underWay.delete(follower.id);
  }

  /** Its connections break: what it had asked, and what others had asked it. */
  async gone(node: DrivenNode): Promise<void> {
    this.#underWay.delete(node.id);
    const waiting = [...this.#underWay].filter(([, { message }]) => message.leader === node.id);
    for (const [follower] of waiting) await this.lose(this.#nodes.of(follower));
  }

  #expected(follower: ReplicaId, type: Message['type']): UnderWay {
    const found = this.#underWay.get(follower);
    if (found?.message.type === type) return found;
    throw new Refused(`${follower} has no ${type} under way`);
  }
}

async function parkedAt(gate: ReturnType<DrivenNode['gateTo']>): Promise<ParkedRequest> {
  while (gate.parked === null) await gate.changed();
  return gate.parked;
}
