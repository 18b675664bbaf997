/**
 * A leader's changes of the ISR. Up to 2.6 each compares and sets at the controller, and until it has answered, everything else
 * of the broker waits. A leader that asks for another ISR (KIP-497) goes on, and hears of it later.
 */
import { NO_ONE, type ReplicaId } from '../replica/index.ts';
import type { BrokerOptions } from './options.ts';

export type IsrChange = 'ExpandIsr' | 'ShrinkIsr';

export class IsrChanges {
  readonly #options: BrokerOptions;
  readonly #isStopped: () => boolean;
  readonly #changed: () => void;
  readonly #lastFetch = new Map<ReplicaId, number>();
  /** While the controller has not answered. */
  #postponed: (() => void)[] | null = null;
  #clockMs = 0;

  /** `changed`: the controller has answered, and others may go on. */
  constructor(options: BrokerOptions, isStopped: () => boolean, changed: () => void) {
    this.#options = options;
    this.#isStopped = isStopped;
    this.#changed = changed;
  }

  get isFree(): boolean {
    return this.#postponed === null;
  }

  whenFree(call: () => void): void {
    if (this.#postponed !== null) this.#postponed.push(call);
    else call();
  }

  fetched(follower: ReplicaId): void {
    this.#lastFetch.set(follower, this.#clockMs);
  }

  mayJoin(follower: ReplicaId): boolean {
    return this.#may('ExpandIsr', follower);
  }

  /** Takes out a follower that has been silent for too long; `passedMs`: since it was called last. */
  shrink(passedMs: number, then: () => void): void {
    this.#clockMs += passedMs;
    const { member, timing } = this.#options;
    const silentMs = (id: ReplicaId) => this.#clockMs - (this.#lastFetch.get(id) ?? Number.NEGATIVE_INFINITY);
    const { isr } = member.replica.memory;
    const lagging = isr.find((id) => silentMs(id) > timing.lagMs && this.#may('ShrinkIsr', id));
    if (lagging !== undefined) this.propose('ShrinkIsr', lagging, then);
  }

  /** `then`: once the step is taken, or refused. */
  propose(action: IsrChange, follower: ReplicaId, then: (accepted: boolean) => void): void {
    const { config, member } = this.#options;
    if (config.profileOf[member.id]!.asksForIsr) this.#ask(action, follower, then);
    else this.#compareAndSet(action, follower, then);
  }

  /** The controller answers later, unless this replica leads in that epoch no longer: then nobody waits for it. */
  #ask(action: IsrChange, follower: ReplicaId, then: (accepted: boolean) => void): void {
    const { host, member } = this.#options;
    const refusal = member.tryStep({ action, args: [member.id, follower] });
    const { isrProposal, leaderEpoch: epoch } = member.replica.memory;
    if (refusal === null) {
      host.alterIsr({ ...isrProposal, leader: member.id, epoch }, (accepted) => {
        const { memory } = member.replica;
        if (this.#isStopped() || memory.leaderEpoch !== epoch || memory.isrProposal.isr.length === 0) return;
        member.answerIsr(accepted ? 'confirmed' : 'refused');
        member.tryStep({ action: 'HandleAlterPartitionResponse', args: [member.id] });
        this.#changed();
      });
    }
    then(refusal === null);
  }

  /** The controller compares and sets; only then is the step taken. */
  #compareAndSet(action: IsrChange, follower: ReplicaId, then: (accepted: boolean) => void): void {
    const { host, member } = this.#options;
    const { isr, leaderEpoch: epoch } = member.replica.memory;
    const others = isr.filter((id) => id !== follower);
    const joins = action === 'ExpandIsr';
    this.#postponed = [];
    const proposal = {
      ...{ leader: member.id, epoch, isr: joins ? [...others, follower].sort() : others },
      ...{ joining: joins ? follower : NO_ONE, inIncarnation: 0 },
    };
    host.alterIsr(proposal, (accepted) => {
      if (this.#isStopped()) return;
      if (accepted) member.tryStep({ action, args: [member.id, follower] });
      const postponed = this.#postponed ?? [];
      this.#postponed = null;
      then(accepted);
      for (const call of postponed) if (!this.#isStopped()) this.whenFree(call);
    });
  }

  #may(action: IsrChange, follower: ReplicaId): boolean {
    const { member } = this.#options;
    return member.whyNot({ action, args: [member.id, follower] }) === null;
  }
}
