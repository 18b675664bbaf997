import type { BrokerSet } from './brokerSet.ts';
import type { Election } from './controller.ts';
import { isAlive, type Member } from './member.ts';
import { needs, Refused } from './refused.ts';

const NOBODY = -1;

/** The controller's decisions, as long as the world has them in its hands, and the news of them. */
export class Elections {
  readonly #set: BrokerSet;
  #held: Election[] = [];
  #oldNews = false;

  constructor(set: BrokerSet) {
    this.#set = set;
  }

  /** `oldNews`: a replica may hear of an election when a newer one was held already. */
  begin(first: Election, oldNews: boolean): void {
    this.#held = [first];
    this.#oldNews = oldNews;
  }

  get all(): readonly Election[] {
    return this.#held;
  }

  get newest(): Election {
    return this.#held.at(-1)!;
  }

  async elect(member: Member): Promise<void> {
    const now = this.newest;
    const alive = now.isr.filter((number) => this.#set.members.some((one) => one.number === number && isAlive(one)));
    needs(alive.includes(member.number), `${member.name} is not a live member of the ISR`);
    const isWhole = alive.length === now.isr.length;
    needs(member.number !== now.leader || !isWhole, `${member.name} leads, and the whole ISR is alive`);
    await this.#decide(member.number, alive);
  }

  async electUnclean(member: Member): Promise<void> {
    needs(isAlive(member), `${member.name} is not up`);
    this.#needsNoIsr();
    await this.#decide(member.number, [member.number]);
  }

  async partitionOffline(): Promise<void> {
    needs(this.newest.leader !== NOBODY, 'it is offline');
    this.#needsNoIsr();
    await this.#decide(NOBODY, this.newest.isr);
  }

  #needsNoIsr(): void {
    const isInSync = (member: Member): boolean => this.newest.isr.includes(member.number);
    needs(!this.#set.members.some((member) => isInSync(member) && isAlive(member)), 'a member of the ISR is alive');
  }

  async #decide(leader: number, isr: readonly number[]): Promise<void> {
    const election = { epoch: this.newest.epoch + 1, leader, isr };
    await this.#set.options.controller.decide(this.#set.topic, election);
    this.#held.push(election);
  }

  /** The elected leader has another one now. */
  isrBecomes(leader: Member, isr: readonly number[]): void {
    this.#held[this.#held.length - 1] = { ...this.newest, isr };
    leader.isr = isr;
  }

  async becomeLeader(member: Member, epoch: number): Promise<void> {
    const election = this.#news(member, epoch);
    needs(election.leader === member.number, `${member.name} does not lead in epoch ${epoch}`);
    await this.#tell(member, election, true);
  }

  async becomeFollower(member: Member, epoch: number): Promise<void> {
    const election = this.#news(member, epoch);
    needs(election.leader !== member.number && election.leader !== NOBODY, `nobody else leads in epoch ${epoch}`);
    await this.#tell(member, election, this.#set.options.kind.beginsAnew(member.heard, election));
  }

  #news(member: Member, epoch: number): Election {
    needs(isAlive(member), `${member.name} is not up`);
    const election = this.#held.find((one) => one.epoch === epoch);
    if (election === undefined) throw new Refused(`no election was held in epoch ${epoch}`);
    const isNewest = election === this.newest;
    needs(isNewest || this.#oldNews, 'only the newest election is news');
    needs(isNewest || member.heard !== null, 'one that has just started is told the newest');
    return election;
  }

  async #tell(member: Member, election: Election, anew: boolean): Promise<void> {
    const heard = member.heard?.epoch ?? 0;
    needs(election.epoch > heard, `${member.name} has heard of epoch ${heard} already`);
    const refusal = await this.#set.tell(member, election, anew);
    needs(refusal === null, `Kafka refuses the news: ${refusal}`);
  }
}
