/** A leader's changes of the ISR: each asks the controller, and until it has answered, everything else of the broker waits. */
import { NO_ONE, type ReplicaId } from '../replica/index.ts';
import type { BrokerOptions } from './options.ts';

export type IsrChange = 'ExpandIsr' | 'ShrinkIsr';

export class IsrChanges {
  readonly #options: BrokerOptions;
  readonly #isStopped: () => boolean;
  readonly #lastFetch = new Map<ReplicaId, number>();
  /** While the controller has not answered. */
  #postponed: (() => void)[] | null = null;
  #clockMs = 0;

  constructor(options: BrokerOptions, isStopped: () => boolean) {
    this.#options = options;
    this.#isStopped = isStopped;
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

  /** The controller compares and sets; only then is the step taken. */
  propose(action: IsrChange, follower: ReplicaId, then: (accepted: boolean) => void): void {
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
