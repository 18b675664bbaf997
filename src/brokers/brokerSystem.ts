import type { Effect, StepOutcome, System, SystemConfig, WorldStep } from '../systems/system.ts';
import { BrokerSet, type BrokerSetOptions, logEndOf, roleOf } from './brokerSet.ts';
import type { Election } from './controller.ts';
import { cutLog, flushLog } from './disk.ts';
import { InSync } from './inSync.ts';
import { isAlive, type Member } from './member.ts';
import { Network } from './network.ts';
import { OBSERVABLE, observation } from './observation.ts';
import { type Arguments, argumentsOf, needs, Refused } from './refused.ts';
import { FETCH } from './wire/replication.ts';

const NOBODY = -1;

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
  readonly #actions: Readonly<Record<string, (args: Arguments, id: number | undefined) => Promise<void>>>;
  #config: SystemConfig | null = null;
  #elections: Election[] = [];
  #told: Effect[] = [];

  constructor(options: BrokerSetOptions) {
    this.name = options.kind.name;
    this.#unsupported = options.kind.unsupported;
    this.observable = new Set([...OBSERVABLE, ...(options.kind.alsoObservable ?? [])]);
    this.#set = new BrokerSet(options);
    this.#inSync = new InSync(this.#set);
    this.#network = new Network(this.#set, this.#inSync);
    this.#actions = {
      Write: ({ member, text }, id) => this.#write(member(0), text(1), id),
      BecomeLeader: ({ member, number }) => this.#becomeLeader(member(0), number(1)),
      BecomeFollower: ({ member, number }) => this.#becomeFollower(member(0), number(1)),
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
      CheckpointHighWatermark: async ({ member }) => this.#checkpoint(member(0)),
      Elect: ({ member }) => this.#elect(member(0)),
      ElectUnclean: ({ member }) => this.#electUnclean(member(0)),
      PartitionOffline: () => this.#partitionOffline(),
      Flush: ({ member }) => this.#flush(member(0)),
      Crash: ({ member }) => this.#crash(member(0)),
      PowerLoss: ({ member, number }) => this.#powerLoss(member(0), number(1)),
      Restart: ({ member }) => this.#restart(member(0)),
    };
  }

  async reset(config: SystemConfig): Promise<void> {
    this.#config = null;
    const leader = config.replicas.indexOf(config.firstLeader) + 1;
    this.#elections = [await this.#set.reset(config.replicas, config.minIsr, leader)];
    await this.#set.settle();
    for (const follower of this.#set.members) await this.#finishTruncation(follower);
    if (config.lazyCheckpoint) for (const member of this.#set.members) member.checkpointed = 0;
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
    return observation(this.#set, this.#elections, this.#config?.oldNews === true);
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

  // The controller's news.

  #news(member: Member, epoch: number): Election {
    needs(isAlive(member), `${member.name} is not up`);
    const election = this.#elections.find((one) => one.epoch === epoch);
    if (election === undefined) throw new Refused(`no election was held in epoch ${epoch}`);
    const isNewest = election === this.#newest;
    needs(isNewest || this.#config?.oldNews === true, 'only the newest election is news');
    needs(isNewest || member.heard !== null, 'one that has just started is told the newest');
    return election;
  }

  async #becomeLeader(member: Member, epoch: number): Promise<void> {
    const election = this.#news(member, epoch);
    needs(election.leader === member.number, `${member.name} does not lead in epoch ${epoch}`);
    await this.#tell(member, election, true);
  }

  async #becomeFollower(member: Member, epoch: number): Promise<void> {
    const election = this.#news(member, epoch);
    needs(election.leader !== member.number && election.leader !== NOBODY, `nobody else leads in epoch ${epoch}`);
    await this.#tell(member, election, this.#set.options.kind.beginsAnew(member.heard, election));
  }

  async #tell(member: Member, election: Election, anew: boolean): Promise<void> {
    const heard = member.heard?.epoch ?? 0;
    needs(election.epoch > heard, `${member.name} has heard of epoch ${heard} already`);
    const refusal = await this.#set.tell(member, election, anew);
    needs(refusal === null, `Kafka refuses the news: ${refusal}`);
  }

  // The ISR.

  async #shrinkIsr(leader: Member, follower: Member): Promise<void> {
    if (!isAlive(leader) || roleOf(this.#set, leader) !== 'leader') throw new Refused(`${leader.name} is not leader`);
    needs(leader !== follower && leader.isr.includes(follower.number), `${follower.name} is not in its ISR`);
    needs(leader.heard?.epoch === this.#newest.epoch, `${leader.name} is not the elected leader`);
    this.#isrBecomes(leader, await this.#inSync.shrink(leader, follower, this.#newest));
    needs(!leader.isr.includes(follower.number), `the ISR stays as it is: ${leader.name} sees no lag`);
  }

  async #expandIsr(leader: Member, follower: Member): Promise<void> {
    if (!isAlive(leader) || roleOf(this.#set, leader) !== 'leader') throw new Refused(`${leader.name} is not leader`);
    needs(!leader.isr.includes(follower.number), `${follower.name} is in its ISR`);
    needs(leader.heard?.epoch === this.#newest.epoch, `${leader.name} is not the elected leader`);
    const message = this.#network.underWay(follower, 'FetchRequest');
    needs(message.leader === leader.number && message.reply?.error === 'none', 'it is not handling a fetch of it');
    const { request } = message.parked;
    this.#isrBecomes(leader, await this.#inSync.expand(leader, follower, this.#newest, request));
    needs(leader.isr.includes(follower.number), `${follower.name} is not let in: it is behind`);
  }

  #isrBecomes(leader: Member, isr: readonly number[]): void {
    this.#elections[this.#elections.length - 1] = { ...this.#newest, isr };
    leader.isr = isr;
  }

  // The controller's decisions.

  async #elect(member: Member): Promise<void> {
    const now = this.#newest;
    const alive = now.isr.filter((number) => this.#set.members.some((one) => one.number === number && isAlive(one)));
    needs(alive.includes(member.number), `${member.name} is not a live member of the ISR`);
    const isWhole = alive.length === now.isr.length;
    needs(member.number !== now.leader || !isWhole, `${member.name} leads, and the whole ISR is alive`);
    await this.#decide(member.number, alive);
  }

  async #electUnclean(member: Member): Promise<void> {
    needs(isAlive(member), `${member.name} is not up`);
    this.#needsNoIsr();
    await this.#decide(member.number, [member.number]);
  }

  async #partitionOffline(): Promise<void> {
    needs(this.#newest.leader !== NOBODY, 'it is offline');
    this.#needsNoIsr();
    await this.#decide(NOBODY, this.#newest.isr);
  }

  #needsNoIsr(): void {
    const isInSync = (member: Member): boolean => this.#newest.isr.includes(member.number);
    needs(!this.#set.members.some((member) => isInSync(member) && isAlive(member)), 'a member of the ISR is alive');
  }

  async #decide(leader: number, isr: readonly number[]): Promise<void> {
    const election = { epoch: this.#newest.epoch + 1, leader, isr };
    await this.#set.options.controller.decide(this.#set.topic, election);
    this.#elections.push(election);
  }

  // Disk and machine.

  /** The timer has just fired. When it has not, a crash leaves what it wrote before. */
  #checkpoint(member: Member): void {
    needs(this.#config?.lazyCheckpoint === true, 'the high watermark is on disk at once');
    needs(isAlive(member) && roleOf(this.#set, member) !== 'starting', `${member.name} knows of no partition`);
    member.checkpointed = this.#set.sights.get(member)?.disk.checkpoint ?? 0;
  }

  async #flush(member: Member): Promise<void> {
    needs(isAlive(member), `${member.name} is not up`);
    await flushLog(member.logFolder, this.#partition);
    member.flushed = logEndOf(this.#set, member);
  }

  async #crash(member: Member): Promise<void> {
    needs(isAlive(member), `${member.name} is not up`);
    await this.#set.kill(member);
  }

  async #powerLoss(member: Member, kept: number): Promise<void> {
    needs(isAlive(member), `${member.name} is not up`);
    needs(kept >= member.flushed, `${member.flushed} records have been flushed`);
    needs(kept <= logEndOf(this.#set, member), `there are only ${logEndOf(this.#set, member)} records`);
    await this.#set.kill(member);
    await cutLog(member.logFolder, this.#partition, kept);
    member.flushed = kept;
  }

  async #restart(member: Member): Promise<void> {
    needs(member.broker === null, `${member.name} is not down`);
    const isMissed = this.#newest.leader !== member.number || this.#config?.resumeSameEpoch === true;
    needs(isMissed, 'a leader was seen to die: elect another first');
    await this.#set.start(member);
    member.incarnation++;
  }

  // Small things.

  get #newest(): Election {
    return this.#elections.at(-1)!;
  }

  get #partition(): string {
    return `${this.#set.topic.name}-0`;
  }
}
