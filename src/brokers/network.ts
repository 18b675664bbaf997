import { type BrokerSet, logEndOf, roleOf } from './brokerSet.ts';
import type { InSync } from './inSync.ts';
import { isAlive, type Member, type UnderWay } from './member.ts';
import { needs, Refused } from './refused.ts';

/** The network between brokers as the specification has it: one request per follower, which dies with its connection. */
export class Network {
  readonly #set: BrokerSet;
  readonly #inSync: InSync;

  constructor(set: BrokerSet, inSync: InSync) {
    this.#set = set;
    this.#inSync = inSync;
  }

  send(follower: Member, type: UnderWay['request']['type']): void {
    needs(roleOf(this.#set, follower) === 'follower', `${follower.name} is not a follower`);
    needs(follower.underWay === null, `${follower.name} has a request under way`);
    const parked = this.#set.gateOf(follower)?.parked ?? null;
    if (parked === null || follower.heard === null) throw new Refused('its leader is not up to be connected to');
    const request = this.#set.options.dialect.request(parked, this.#set.topic);
    needs(request?.type === type, `${follower.name}'s fetcher makes a ${request?.type}, no ${type}`);
    if (request === null) return;
    const { leader, epoch } = follower.heard;
    follower.underWay = {
      parked,
      leader,
      leaderEpoch: request.leaderEpoch ?? epoch,
      request,
      reply: null,
      endOffset: -1,
    };
  }

  async handle(leader: Member, follower: Member, type: UnderWay['request']['type']): Promise<void> {
    const message = this.underWay(follower, type);
    needs(message.reply === null, 'it has been handled');
    needs(message.leader === leader.number, 'it is under way to another leader');
    needs(isAlive(leader), `${leader.name} is not up`);
    const { dialect, kind } = this.#set.options;
    if (kind.deafWhileStarting !== undefined) needs(roleOf(this.#set, leader) !== 'starting', kind.deafWhileStarting);
    if (type === 'FetchRequest') await this.#inSync.untilLagIsOver(leader, follower);
    await message.parked.forward();
    if (type === 'FetchRequest') {
      follower.handled = {
        leader: leader.number,
        leaderEpoch: leader.heard?.epoch ?? 0,
        offset: message.request.number,
        request: message.parked.request,
        atMs: performance.now(),
      };
    }
    message.reply = dialect.reply(message.parked, this.#set.topic);
    const tellsEnd = message.reply.error === 'none' || message.reply.error === 'OFFSET_OUT_OF_RANGE';
    if (tellsEnd) message.endOffset = logEndOf(this.#set, leader);
  }

  deliver(follower: Member, type: UnderWay['request']['type']): void {
    const message = this.underWay(follower, type);
    needs(message.reply !== null, 'it has not been handled yet');
    follower.underWay = null;
    message.parked.deliver();
  }

  lose(follower: Member): void {
    needs(follower.underWay !== null, `${follower.name} has nothing under way`);
    this.#set.gateOf(follower)?.drop();
    follower.underWay = null;
  }

  underWay(follower: Member, type: UnderWay['request']['type']): UnderWay {
    if (follower.underWay?.request.type === type) return follower.underWay;
    throw new Refused(`${follower.name} has no ${type} under way`);
  }
}
