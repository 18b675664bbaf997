import type { SystemConfig } from '../systems/system.ts';
import { type BrokerSet, logEndOf, roleOf } from './brokerSet.ts';
import { cutLog, flushLog } from './disk.ts';
import type { Elections } from './elections.ts';
import { isAlive, type Member } from './member.ts';
import { needs } from './refused.ts';

/** Disk and machine: what the power grid, the operating system and Kafka's timers do. */
export class Machines {
  readonly #set: BrokerSet;
  readonly #elections: Elections;
  #lazyCheckpoint = false;
  #resumeSameEpoch = false;

  constructor(set: BrokerSet, elections: Elections) {
    this.#set = set;
    this.#elections = elections;
  }

  begin({ lazyCheckpoint, resumeSameEpoch }: SystemConfig): void {
    this.#lazyCheckpoint = lazyCheckpoint;
    this.#resumeSameEpoch = resumeSameEpoch;
    if (lazyCheckpoint) for (const member of this.#set.members) member.checkpointed = 0;
  }

  /** The timer has just fired. When it has not, a crash leaves what it wrote before. */
  checkpoint(member: Member): void {
    needs(this.#lazyCheckpoint, 'the high watermark is on disk at once');
    needs(isAlive(member) && roleOf(this.#set, member) !== 'starting', `${member.name} knows of no partition`);
    member.checkpointed = this.#set.sights.get(member)?.disk.checkpoint ?? 0;
  }

  async flush(member: Member): Promise<void> {
    needs(isAlive(member), `${member.name} is not up`);
    await flushLog(member.logFolder, this.#partition);
    member.flushed = logEndOf(this.#set, member);
  }

  async crash(member: Member): Promise<void> {
    needs(isAlive(member), `${member.name} is not up`);
    await this.#set.kill(member);
  }

  async powerLoss(member: Member, kept: number): Promise<void> {
    needs(isAlive(member), `${member.name} is not up`);
    needs(kept >= member.flushed, `${member.flushed} records have been flushed`);
    needs(kept <= logEndOf(this.#set, member), `there are only ${logEndOf(this.#set, member)} records`);
    await this.#set.kill(member);
    await cutLog(member.logFolder, this.#partition, kept);
    member.flushed = kept;
  }

  async restart(member: Member): Promise<void> {
    needs(member.broker === null, `${member.name} is not down`);
    const isMissed = this.#elections.newest.leader !== member.number || this.#resumeSameEpoch;
    needs(isMissed, 'a leader was seen to die: elect another first');
    await this.#set.start(member);
    member.incarnation++;
  }

  get #partition(): string {
    return `${this.#set.topic.name}-0`;
  }
}
