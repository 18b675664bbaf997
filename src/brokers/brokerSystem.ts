import type { Effect, StepOutcome, System, SystemConfig, WorldStep } from '../systems/system.ts';
import { BrokerSet, type BrokerSetOptions, logEndOf, roleOf } from './brokerSet.ts';
import { Elections } from './elections.ts';
import { InSync } from './inSync.ts';
import { Machines } from './machines.ts';
import { isAlive, type Member } from './member.ts';
import { Network } from './network.ts';
import { OBSERVABLE, observation } from './observation.ts';
import { type Arguments, argumentsOf, needs, Refused } from './refused.ts';
import { FETCH } from './wire/replication.ts';

/**
 * Real brokers as a system: the actions of spec/LeaderEpoch.tla, each carried to the brokers that it concerns. The world is
 * played here; a guard stands here only where the world has it in its hands. Where Kafka itself would say no, it is asked.
 */
export class BrokerSystem implements System {
  readonly name: string;
  readonly observable: ReadonlySet<string>;
  readonly #unsupported: Readonly<Record<string, string>>;
  readonly #set: BrokerSet;
  readonly #inSync: InSync;
  readonly #network: Network;
  readonly #elections: Elections;
  readonly #machines: Machines;
  readonly #actions: Readonly<Record<string, (args: Arguments, id: number | undefined) => Promise<void>>>;
  #config: SystemConfig | null = null;
  #told: Effect[] = [];

  constructor(options: BrokerSetOptions) {
    this.name = options.kind.name;
    this.#unsupported = options.kind.unsupported;
    this.observable = new Set([...OBSERVABLE, ...(options.kind.alsoObservable ?? [])]);
    this.#set = new BrokerSet(options);
    this.#inSync = new InSync(this.#set);
    this.#network = new Network(this.#set, this.#inSync);
    this.#elections = new Elections(this.#set);
    this.#machines = new Machines(this.#set, this.#elections);
    this.#actions = {
      Write: ({ member, text }, id) => this.#write(member(0), text(1), id),
      BecomeLeader: ({ member, number }) => this.#elections.becomeLeader(member(0), number(1)),
      BecomeFollower: ({ member, number }) => this.#elections.becomeFollower(member(0), number(1)),
      SendOffsetsForLeaderEpoch: async ({ member }) => this.#network.send(member(0), 'OffsetsForLeaderEpochRequest'),
      HandleOffsetsForLeaderEpoch: ({ member }) =>
        this.#network.handle(member(0), member(1), 'OffsetsForLeaderEpochRequest'),
      HandleOffsetsForLeaderEpochResponse: async ({ member }) =>
        this.#network.deliver(member(0), 'OffsetsForLeaderEpochRequest'),
      SendFetch: async ({ member }) => this.#network.send(member(0), 'FetchRequest'),
      HandleFetch: ({ member }) => this.#network.handle(member(0), member(1), 'FetchRequest'),
      HandleFetchResponse: async ({ member }) => this.#network.deliver(member(0), 'FetchRequest'),
      LoseMessage: async ({ member }) => this.#network.lose(member(0)),
      ShrinkIsr: ({ member }) => this.#shrinkIsr(member(0), member(1)),
      ExpandIsr: ({ member }) => this.#expandIsr(member(0), member(1)),
      CheckpointHighWatermark: async ({ member }) => this.#machines.checkpoint(member(0)),
      Elect: ({ member }) => this.#elections.elect(member(0)),
      ElectUnclean: ({ member }) => this.#elections.electUnclean(member(0)),
      PartitionOffline: () => this.#elections.partitionOffline(),
      Flush: ({ member }) => this.#machines.flush(member(0)),
      Crash: ({ member }) => this.#machines.crash(member(0)),
      PowerLoss: ({ member, number }) => this.#machines.powerLoss(member(0), number(1)),
      Restart: ({ member }) => this.#machines.restart(member(0)),
    };
  }

  async reset(config: SystemConfig): Promise<void> {
    this.#config = null;
    const leader = config.replicas.indexOf(config.firstLeader) + 1;
    this.#elections.begin(await this.#set.reset(config.replicas, config.minIsr, leader), config.oldNews);
    await this.#set.settle();
    for (const follower of this.#set.members) await this.#finishTruncation(follower);
    this.#machines.begin(config);
    this.#config = config;
  }

  /** The specification's first state has followers that fetch. */
  async #finishTruncation(follower: Member): Promise<void> {
    for (;;) {
      const parked = this.#set.gateOf(follower)?.parked ?? null;
      if (parked === null || parked.apiKey === FETCH) return;
      await parked.forward();
      parked.deliver();
      await this.#set.settle();
    }
  }

  async step({ action, args, id }: WorldStep): Promise<StepOutcome> {
    const take = this.#actions[action];
    try {
      needs(this.#config !== null, 'the cluster has not been reset yet');
      const reason = this.#unsupported[action];
      if (reason !== undefined) throw new Refused(reason, { never: true });
      if (take === undefined) throw new Refused(`there is no action ${action}`);
      this.#told = [];
      await take(argumentsOf(args, this.#set.members), id);
    } catch (error) {
      if (error instanceof Refused) return { kind: 'refused', reason: error.message, never: error.never };
      throw error;
    }
    await this.#set.settle();
    for (const member of this.#set.members) {
      member.waiting = member.waiting.filter(({ answer }) => answer === null);
      member.flushed = Math.min(member.flushed, logEndOf(this.#set, member));
    }
    return { kind: 'taken', effects: this.#told };
  }

  async observe() {
    return observation(this.#set, this.#elections.all, this.#config?.oldNews === true);
  }

  async close(): Promise<void> {
    await this.#set.close();
  }

  // Clients.

  async #write(leader: Member, acks: string, id: number | undefined): Promise<void> {
    if (id === undefined || (acks !== '1' && acks !== 'all'))
      throw new Refused('a record needs an id, and acks 1 or all');
    if (!isAlive(leader) || roleOf(this.#set, leader) !== 'leader') throw new Refused(`${leader.name} is not leader`);
    if (leader.isr.length === 1) await this.#inSync.untilLagIsOver(leader, null);
    const { client } = this.#set.options;
    const record = { id, epoch: leader.heard?.epoch ?? 0 };
    const answered = client.produce(leader.broker, this.#set.topic, record, acks).then(
      (error) => {
        waiting.answer = error;
        if (error === 'none') this.#told.push({ kind: 'acknowledged', id, acks });
      },
      () => {
        waiting.answer = 'lost';
      },
    );
    const waiting: Member['waiting'][number] = { id, acks, answer: null, answered };
    leader.waiting.push(waiting);
    if (await this.#set.untilWritten(leader, waiting)) return;
    leader.waiting = leader.waiting.filter((one) => one !== waiting);
    throw new Refused(`Kafka refuses the write: ${waiting.answer}`);
  }

  // The ISR.

  async #shrinkIsr(leader: Member, follower: Member): Promise<void> {
    if (!isAlive(leader) || roleOf(this.#set, leader) !== 'leader') throw new Refused(`${leader.name} is not leader`);
    needs(leader !== follower && leader.isr.includes(follower.number), `${follower.name} is not in its ISR`);
    needs(leader.heard?.epoch === this.#elections.newest.epoch, `${leader.name} is not the elected leader`);
    this.#elections.isrBecomes(leader, await this.#inSync.shrink(leader, follower, this.#elections.newest));
    needs(!leader.isr.includes(follower.number), `the ISR stays as it is: ${leader.name} sees no lag`);
  }

  async #expandIsr(leader: Member, follower: Member): Promise<void> {
    if (!isAlive(leader) || roleOf(this.#set, leader) !== 'leader') throw new Refused(`${leader.name} is not leader`);
    needs(!leader.isr.includes(follower.number), `${follower.name} is in its ISR`);
    needs(leader.heard?.epoch === this.#elections.newest.epoch, `${leader.name} is not the elected leader`);
    const message = this.#network.underWay(follower, 'FetchRequest');
    needs(message.leader === leader.number && message.reply?.error === 'none', 'it is not handling a fetch of it');
    const { request } = message.parked;
    this.#elections.isrBecomes(leader, await this.#inSync.expand(leader, follower, this.#elections.newest, request));
    needs(leader.isr.includes(follower.number), `${follower.name} is not let in: it is behind`);
  }
}
