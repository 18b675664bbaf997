import { type Config, type LeaderAndIsr, NO_ONE, type Step, type StepResult } from '../../replica/index.ts';
import { asStep, switchesOf, toConfig, toObservation } from '../../systems/memory.ts';
import type { Effect, Observation, StepOutcome, SystemConfig, WorldStep } from '../../systems/system.ts';
import { Controller } from '../controller.ts';
import { whyNotOnWire } from '../translate.ts';
import { alterPartition, changeIsr } from './isr.ts';
import { Messages } from './messages.ts';
import { DrivenError, DrivenNode } from './node.ts';
import { Nodes, takeAlone } from './nodes.ts';
import { needs, Refused, refuse } from './refusal.ts';
import { Writes } from './writes.ts';

const NOBODY_TOLD: StepResult = { acknowledged: [], refused: [] };

/** Takes the specification's steps on broker processes, their sockets and their files. */
export class DrivenCluster {
  readonly #config: Config;
  readonly #notOnWire: string | null;
  readonly #nodes: Nodes;
  readonly #controller: Controller;
  readonly #messages: Messages;
  readonly #writes = new Writes();

  constructor(config: SystemConfig, folder: string) {
    this.#config = toConfig(config);
    const reasons = Object.values(config.profileOf).map((name) => whyNotOnWire(switchesOf(name)));
    this.#notOnWire = reasons.find((reason) => reason !== null) ?? null;
    this.#controller = new Controller(this.#config, false, null, () => {});
    const nodeOf = (id: string) =>
      new DrivenNode(this.#config, id, `${folder}/${id}`, (proposal) => this.#controller.alterIsr(proposal));
    this.#nodes = new Nodes(config.replicas.map(nodeOf));
    this.#messages = new Messages(this.#nodes);
  }

  async begin(): Promise<void> {
    const nodes = this.#nodes.all;
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
      this.#nodes.all.map(async (node) => {
        const replica = { ...(await node.observe()), incarnation: incarnations[node.id] ?? 0 };
        return [node.id, replica] as const;
      }),
    );
    const network = this.#messages.all;
    return toObservation({ replicas: Object.fromEntries(seen), ...this.#controller.observe(), network });
  }

  async close(): Promise<void> {
    await Promise.all(this.#nodes.all.map((node) => node.close()));
  }

  async #take(step: Step): Promise<Effect[]> {
    return this.#writes.told(await this.#carryOut(step));
  }

  async #carryOut({ action, args, id }: Step): Promise<StepResult> {
    const nodes = this.#nodes;
    const [one, two] = args;
    switch (action) {
      case 'Write':
        return this.#writes.write(nodes.up(one), two as '1' | 'all', id ?? 0);
      case 'BecomeLeader':
      case 'BecomeFollower':
        return this.#hear(nodes.up(one), action, Number(two));
      case 'SendFetch':
      case 'SendOffsetsForLeaderEpoch':
        return this.#messages.send(nodes.up(one), action);
      case 'HandleFetch':
      case 'HandleOffsetsForLeaderEpoch':
        return this.#messages.handle(nodes.of(one), nodes.of(two), action);
      case 'HandleFetchResponse':
      case 'HandleOffsetsForLeaderEpochResponse':
        return this.#deliver(nodes.of(one), action);
      case 'LoseMessage':
        await this.#messages.lose(nodes.of(one));
        return NOBODY_TOLD;
      case 'ExpandIsr':
      case 'ShrinkIsr':
        return changeIsr(this.#config, this.#messages, [nodes.up(one), nodes.of(two)], action);
      case 'AlterPartition':
        await alterPartition(this.#controller, nodes.up(one));
        return NOBODY_TOLD;
      case 'HandleAlterPartitionResponse':
      case 'CheckpointHighWatermark':
      case 'FlushEpochFile':
      case 'Flush':
        return takeAlone(nodes.of(one), { action, args });
      case 'Elect':
      case 'ElectUnclean':
      case 'PartitionOffline':
        refuse(this.#controller.decide({ action, args }));
        return NOBODY_TOLD;
      case 'Crash':
        return this.#crash(nodes.up(one), (node) => node.kill());
      case 'PowerLoss':
        return this.#losePower(nodes.up(one), Number(two));
      case 'Restart':
        return this.#restart(nodes.of(one));
    }
  }

  async #hear(node: DrivenNode, action: 'BecomeLeader' | 'BecomeFollower', epoch: number): Promise<StepResult> {
    const { role } = (await node.live()).memory;
    const { controller, oldNews } = this.#controller.observe();
    const news = [controller, ...oldNews].find((one) => one.epoch === epoch);
    if (news === undefined || news.leader === NO_ONE) throw new Refused(`there is no news of epoch ${epoch}`);
    needs((news.leader === node.id) === (action === 'BecomeLeader'), `${news.leader} leads in epoch ${epoch}`);
    needs(role !== 'starting' || news === controller, `${node.id} has just started and is told the newest`);
    const outcome = await node.order({ kind: 'hear', news: news satisfies LeaderAndIsr });
    if (outcome.kind === 'refused') throw new Refused(outcome.reason);
    const { result } = await node.taken(action);
    await this.#messages.noticeGivenUp(node);
    return result;
  }

  async #deliver(
    follower: DrivenNode,
    action: 'HandleFetchResponse' | 'HandleOffsetsForLeaderEpochResponse',
  ): Promise<StepResult> {
    const { result, role } = await this.#messages.deliver(follower, action);
    if (role === 'halted') await this.#gone(follower);
    return result;
  }

  async #losePower(node: DrivenNode, kept: number): Promise<StepResult> {
    const { flushed, log } = (await node.live()).disk;
    const isPossible = Number.isInteger(kept) && kept >= flushed && kept <= log.length;
    needs(isPossible, `${node.id} keeps from ${flushed} (flushed) to ${log.length} records, not ${kept}`);
    return this.#crash(node, () => node.losePower(kept));
  }

  async #crash(node: DrivenNode, end: (node: DrivenNode) => Promise<void>): Promise<StepResult> {
    await end(node);
    await this.#gone(node);
    return NOBODY_TOLD;
  }

  async #gone(node: DrivenNode): Promise<void> {
    this.#controller.gone(node.id);
    await this.#messages.gone(node);
  }

  async #restart(node: DrivenNode): Promise<StepResult> {
    needs(!node.isUp && !node.isHalted, `${node.id} is not down`);
    refuse(this.#controller.whyNotBack(node.id));
    await this.#start(node, this.#controller.register(node.id));
    return NOBODY_TOLD;
  }

  async #start(node: DrivenNode, incarnation: number): Promise<void> {
    const problem = await node.start(incarnation);
    if (problem !== null) throw new DrivenError(`${node.id} cannot start: ${problem}`);
  }
}
