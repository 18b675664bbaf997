/**
 * The brokers of this folder as a system to replay on: a process each, real sockets between them, real files. Of their own
 * accord they do nothing but answer; what is asked, heard, flushed or lost is for the steps to say, and each message waits at
 * a gate until it is handled. What is seen of the network is what was on the wire.
 */

import type { ParkedRequest } from '../brokers/gate.ts';
import type { Config, FetchRequest, LeaderAndIsr, Message, OffsetsForLeaderEpochRequest } from '../replica/index.ts';
import { NO_ONE, NO_PROPOSAL, type ReplicaId, type Step, type StepResult } from '../replica/index.ts';
import { asStep, effectsOf, OBSERVABLE, switchesOf, toConfig, toObservation } from '../systems/memory.ts';
import type { Effect, Observation, StepOutcome, System, SystemConfig, WorldStep } from '../systems/system.ts';
import { workFolder } from '../systems/workFolder.ts';
import { Controller } from './controller.ts';
import { produce } from './producer.ts';
import { TcpError, TcpNode } from './tcpNodes.ts';
import { answerIn, questionIn, whyNotOnWire } from './translate.ts';

export async function tcpSystem(): Promise<System> {
  const folder = await workFolder();
  let cluster: TcpCluster | null = null;
  const running = (): TcpCluster => {
    if (cluster === null) throw new TypeError('reset comes first');
    return cluster;
  };
  const end = async () => {
    await cluster?.close();
    cluster = null;
  };
  return {
    name: 'tcp',
    observable: OBSERVABLE,
    reset: async (config) => {
      await end();
      cluster = new TcpCluster(config, folder.path);
      await cluster.begin();
    },
    step: (step) => running().step(step),
    observe: () => running().observe(),
    close: async () => {
      await end();
      await folder.remove();
    },
  };
}

/** Why a step cannot be taken. */
class Refused extends Error {}

/** What a follower's fetcher has under way, and where it waits. */
interface UnderWay {
  readonly parked: ParkedRequest;
  readonly question: FetchRequest | OffsetsForLeaderEpochRequest;
  readonly message: Message;
}

class TcpCluster {
  readonly #config: Config;
  readonly #notOnWire: string | null;
  readonly #nodes = new Map<ReplicaId, TcpNode>();
  readonly #controller: Controller;
  readonly #underWay = new Map<ReplicaId, UnderWay>();
  /** Of records that were written with acks=all: the answer that their producers wait for. */
  readonly #answers = new Map<number, Promise<number | null>>();

  constructor(config: SystemConfig, folder: string) {
    this.#config = toConfig(config);
    const reasons = Object.values(config.profileOf).map((name) => whyNotOnWire(switchesOf(name)));
    this.#notOnWire = reasons.find((reason) => reason !== null) ?? null;
    this.#controller = new Controller(this.#config, false, null, () => {});
    for (const id of config.replicas) {
      this.#nodes.set(
        id,
        new TcpNode(this.#config, id, `${folder}/${id}`, (proposal) => this.#controller.alterIsr(proposal)),
      );
    }
  }

  async begin(): Promise<void> {
    const nodes = [...this.#nodes.values()];
    await Promise.all(nodes.map((node) => node.openGates(nodes.filter((other) => other !== node))));
    await Promise.all(nodes.map((node) => this.#start(node, 0)));
  }

  async step(worldStep: WorldStep): Promise<StepOutcome> {
    const step = asStep(worldStep);
    try {
      needs(this.#notOnWire === null, this.#notOnWire ?? '');
      if (step === null) throw new Refused(`there is no action ${worldStep.action}`);
      return { kind: 'taken', effects: await this.#take(step) };
    } catch (error) {
      if (error instanceof Refused) return { kind: 'refused', reason: error.message };
      throw error;
    }
  }

  async observe(): Promise<Observation> {
    const { incarnations } = this.#controller.state;
    const seen = await Promise.all(
      [...this.#nodes].map(async ([id, node]) => {
        const replica = { ...(await node.observe()), incarnation: incarnations[id] ?? 0 };
        return [id, replica] as const;
      }),
    );
    const network = [...this.#underWay].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { message }]) => message);
    return toObservation({ replicas: Object.fromEntries(seen), ...this.#controller.observe(), network });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#nodes.values()].map((node) => node.close()));
  }

  async #take({ action, args, id }: Step): Promise<Effect[]> {
    const [one, two] = args;
    switch (action) {
      case 'Write':
        return this.#write(this.#node(one), two as '1' | 'all', id ?? 0);
      case 'BecomeLeader':
      case 'BecomeFollower':
        return this.#hear(this.#node(one), action, Number(two));
      case 'SendFetch':
      case 'SendOffsetsForLeaderEpoch':
        return this.#send(this.#node(one), action);
      case 'HandleFetch':
      case 'HandleOffsetsForLeaderEpoch':
        return this.#handle(this.#node(one), this.#node(two), action);
      case 'HandleFetchResponse':
      case 'HandleOffsetsForLeaderEpochResponse':
        return this.#deliver(this.#node(one), action);
      case 'LoseMessage':
        needs(this.#underWay.has(String(one)), `${one} has nothing under way`);
        await this.#lose(this.#node(one));
        return [];
      case 'ExpandIsr':
      case 'ShrinkIsr':
        return this.#changeIsr(this.#node(one), this.#node(two), action);
      case 'AlterPartition':
        return this.#alterPartition(this.#node(one));
      case 'HandleAlterPartitionResponse':
      case 'CheckpointHighWatermark':
      case 'FlushEpochFile':
      case 'Flush':
        return this.#takeAlone(this.#node(one), { action, args });
      case 'Elect':
      case 'ElectUnclean':
      case 'PartitionOffline':
        refuse(this.#controller.decide({ action, args }));
        return [];
      case 'Crash':
        return this.#crash(this.#node(one), (node) => node.kill());
      case 'PowerLoss':
        return this.#losePower(this.#node(one), Number(two));
      case 'Restart':
        return this.#restart(this.#node(one));
    }
  }

  async #write(leader: TcpNode, acks: '1' | 'all', id: number): Promise<Effect[]> {
    needs(leader.isUp, `${leader.id} is down`);
    const { role } = (await leader.live()).memory;
    needs(role === 'leader', `${leader.id} is ${role}, not a leader`);
    const answer = produce(leader.address, leader.address.topic, id, acks);
    this.#answers.set(id, answer);
    // A refusal comes without a step.
    const code = await Promise.race([answer, leader.hasTaken().then(() => 0)]);
    if (code !== 0) throw new Refused(`${leader.id} refuses the record with code ${code}`);
    return this.#told((await leader.taken('Write')).result);
  }

  async #hear(node: TcpNode, action: 'BecomeLeader' | 'BecomeFollower', epoch: number): Promise<Effect[]> {
    needs(node.isUp, `${node.id} is down`);
    const { role } = (await node.live()).memory;
    const { controller, oldNews } = this.#controller.observe();
    const news = [controller, ...oldNews].find((one) => one.epoch === epoch);
    if (news === undefined || news.leader === NO_ONE) throw new Refused(`there is no news of epoch ${epoch}`);
    needs((news.leader === node.id) === (action === 'BecomeLeader'), `${news.leader} leads in epoch ${epoch}`);
    needs(role !== 'starting' || news === controller, `${node.id} has just started and is told the newest`);
    const outcome = await node.order({ kind: 'hear', news: news satisfies LeaderAndIsr });
    if (outcome.kind === 'refused') throw new Refused(outcome.reason);
    const { result } = await node.taken(action);
    // A fetcher that starts anew gives up what it has asked; not every release's does for the same leader.
    if (!(await node.live()).isAsking) this.#underWay.delete(node.id);
    return this.#told(result);
  }

  async #send(follower: TcpNode, action: 'SendFetch' | 'SendOffsetsForLeaderEpoch'): Promise<Effect[]> {
    needs(follower.isUp, `${follower.id} is down`);
    needs(!this.#underWay.has(follower.id), `${follower.id} has a request under way already`);
    const { incarnation, memory } = await follower.live();
    const { fetchState, leader, leaderEpoch, role } = memory;
    const wanted = action === 'SendFetch' ? 'fetching' : 'truncating';
    needs(role === 'follower' && fetchState === wanted, `${follower.id} is ${role}, and ${fetchState}`);
    needs(this.#node(leader).isUp, `${follower.id} cannot reach ${leader}, which is down`);
    const gate = follower.gateTo(leader);
    const parking = parkedAt(gate);
    await follower.order({ kind: 'ask' });
    const { result } = await follower.taken(action);
    const parked = await parking;
    const question = questionIn(parked.request, { follower: follower.id, leader, incarnation, leaderEpoch });
    this.#underWay.set(follower.id, { parked, question, message: question });
    return this.#told(result);
  }

  async #handle(
    leader: TcpNode,
    follower: TcpNode,
    action: 'HandleFetch' | 'HandleOffsetsForLeaderEpoch',
  ): Promise<Effect[]> {
    const { message, parked, question } = this.#message(follower.id, REQUEST_OF[action]);
    needs(message.leader === leader.id, `it is for ${message.leader}, not for ${leader.id}`);
    needs(leader.isUp, `${leader.id} is down`);
    const logEnd = (await leader.live()).disk.log.length;
    const [reply, { result }] = await Promise.all([parked.forward(), leader.taken(action)]);
    const answer = answerIn(reply, { frame: parked.request, question }, logEnd, leader.identify);
    this.#underWay.set(follower.id, { parked, question, message: answer });
    return this.#told(result);
  }

  async #deliver(
    follower: TcpNode,
    action: 'HandleFetchResponse' | 'HandleOffsetsForLeaderEpochResponse',
  ): Promise<Effect[]> {
    const { parked } = this.#message(follower.id, RESPONSE_OF[action]);
    this.#underWay.delete(follower.id);
    parked.deliver();
    const { result, role } = await follower.taken(action);
    if (role === 'halted') await this.#gone(follower);
    return this.#told(result);
  }

  /** The connection breaks, and the follower notices. */
  async #lose(follower: TcpNode): Promise<void> {
    const { message } = this.#underWay.get(follower.id)!;
    this.#underWay.delete(follower.id);
    follower.gateTo(message.leader).drop();
    await follower.taken('LoseMessage');
  }

  async #changeIsr(leader: TcpNode, follower: TcpNode, action: 'ExpandIsr' | 'ShrinkIsr'): Promise<Effect[]> {
    needs(leader.isUp, `${leader.id} is down`);
    const step: Step = { action, args: [leader.id, follower.id] };
    if (action === 'ExpandIsr') {
      const message = this.#underWay.get(follower.id)?.message;
      const isHandled = message?.type === 'FetchResponse' && message.leader === leader.id;
      needs(isHandled, `${leader.id} is not handling a fetch of ${follower.id}`);
    }
    if (!this.#config.profileOf[leader.id]?.asksForIsr) {
      const outcome = await leader.order({ kind: 'changeIsr', action, follower: follower.id });
      if (outcome.kind === 'refused') throw new Refused(outcome.reason);
      return this.#told((await leader.taken(action)).result);
    }
    const { [follower.id]: incarnation } = this.#controller.state.incarnations;
    needs(
      action === 'ShrinkIsr' || incarnation === 0,
      'in which of its lives a follower asks is on the wire since Fetch v15',
    );
    return this.#takeAlone(leader, step);
  }

  async #alterPartition(leader: TcpNode): Promise<Effect[]> {
    needs(leader.isUp, `${leader.id} is down`);
    const { isrProposal, leaderEpoch: epoch } = (await leader.live()).memory;
    needs(isrProposal !== NO_PROPOSAL && isrProposal.isr.length > 0, `${leader.id} has not asked for another ISR`);
    needs(isrProposal.answer === 'none', `the controller has answered ${leader.id} already`);
    const isConfirmed = this.#controller.alterIsr({ ...isrProposal, leader: leader.id, epoch });
    await leader.order({ kind: 'answerIsr', answer: isConfirmed ? 'confirmed' : 'refused' });
    return [];
  }

  async #takeAlone(node: TcpNode, step: Step): Promise<Effect[]> {
    const outcome = await node.order({ kind: 'take', step });
    if (outcome.kind === 'refused') throw new Refused(outcome.reason);
    return this.#told((await node.taken(step.action)).result);
  }

  async #losePower(node: TcpNode, kept: number): Promise<Effect[]> {
    needs(node.isUp, `${node.id} is down`);
    const { flushed, log } = (await node.live()).disk;
    const isPossible = Number.isInteger(kept) && kept >= flushed && kept <= log.length;
    needs(isPossible, `${node.id} keeps from ${flushed} (flushed) to ${log.length} records, not ${kept}`);
    return this.#crash(node, () => node.losePower(kept));
  }

  async #crash(node: TcpNode, end: (node: TcpNode) => Promise<void>): Promise<Effect[]> {
    needs(node.isUp, `${node.id} is down`);
    await end(node);
    await this.#gone(node);
    return [];
  }

  /** Its connections break: what it had asked, and what others had asked it. */
  async #gone(node: TcpNode): Promise<void> {
    this.#controller.gone(node.id);
    this.#underWay.delete(node.id);
    const waiting = [...this.#underWay].filter(([, { message }]) => message.leader === node.id);
    for (const [follower] of waiting) await this.#lose(this.#node(follower));
  }

  async #restart(node: TcpNode): Promise<Effect[]> {
    needs(!node.isUp && !node.isHalted, `${node.id} is not down`);
    refuse(this.#controller.whyNotBack(node.id));
    await this.#start(node, this.#controller.register(node.id));
    return [];
  }

  async #start(node: TcpNode, incarnation: number): Promise<void> {
    const problem = await node.start(incarnation);
    if (problem !== null) throw new TcpError(`${node.id} cannot start: ${problem}`);
  }

  /** What a step told producers: it must reach them over their connections. */
  async #told(result: StepResult): Promise<Effect[]> {
    for (const { id } of result.acknowledged) {
      const code = await this.#answers.get(id);
      if (code !== 0) throw new TcpError(`the producer of m${id} is told ${code}, and the record is stored`);
    }
    return effectsOf(result);
  }

  #message(follower: ReplicaId, type: Message['type']): UnderWay {
    const found = this.#underWay.get(follower);
    if (found?.message.type === type) return found;
    throw new Refused(`${follower} has no ${type} under way`);
  }

  #node(id: unknown): TcpNode {
    const node = this.#nodes.get(String(id));
    if (node === undefined) throw new Refused(`there is no replica ${id}`);
    return node;
  }
}

const REQUEST_OF = {
  HandleFetch: 'FetchRequest',
  HandleOffsetsForLeaderEpoch: 'OffsetsForLeaderEpochRequest',
} as const;
const RESPONSE_OF = {
  HandleFetchResponse: 'FetchResponse',
  HandleOffsetsForLeaderEpochResponse: 'OffsetsForLeaderEpochResponse',
} as const;

async function parkedAt(gate: ReturnType<TcpNode['gateTo']>): Promise<ParkedRequest> {
  while (gate.parked === null) await gate.changed();
  return gate.parked;
}

function needs(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new Refused(otherwise);
}

function refuse(reason: string | null): void {
  if (reason !== null) throw new Refused(reason);
}
