/**
 * The controller: it knows who is alive, elects leaders, and keeps the ISR. Its decisions are steps of src/replica, in a world
 * where a replica is alive or not, and nothing more.
 */
import { Cluster, type Config, type LeaderAndIsr, NO_ONE, type ReplicaId, type Step } from '../replica/index.ts';

/** What must outlive the controller. */
export interface ControllerState {
  readonly news: LeaderAndIsr;
  readonly incarnations: Readonly<Record<ReplicaId, number>>;
}

export interface Proposal {
  readonly leader: ReplicaId;
  readonly epoch: number;
  readonly action: 'ExpandIsr' | 'ShrinkIsr';
  readonly follower: ReplicaId;
}

export class Controller {
  readonly #cluster: Cluster;
  readonly #unclean: boolean;
  readonly #onStep: (step: Step) => void;
  readonly #incarnations: Record<ReplicaId, number> = {};

  /** `unclean`: a replica out of sync may be elected if nobody else is left. */
  constructor(config: Config, unclean: boolean, state: ControllerState | null, onStep: (step: Step) => void) {
    this.#cluster = new Cluster(config);
    this.#unclean = unclean;
    this.#onStep = onStep;
    for (const id of config.replicas) this.#incarnations[id] = state?.incarnations[id] ?? 0;
    if (state === null) return;
    const now = this.#cluster.observe();
    now.controller = state.news;
    this.#cluster.reset(now);
    for (const id of config.replicas) this.#setAlive(id, false);
  }

  get news(): LeaderAndIsr {
    return this.#cluster.observe().controller;
  }

  get state(): ControllerState {
    return { news: this.news, incarnations: { ...this.#incarnations } };
  }

  isAlive(id: ReplicaId): boolean {
    return this.#cluster.observe().replicas[id]?.memory.role !== 'down';
  }

  /** The session of a broker has ended. What follows from that is decided in `react`. */
  gone(id: ReplicaId): void {
    this.#setAlive(id, false);
  }

  /** A broker comes back, in a new life. That its earlier one led is noticed first. */
  register(id: ReplicaId): number {
    this.#setAlive(id, false);
    if (this.news.leader === id) this.react();
    this.#setAlive(id, true);
    this.#incarnations[id] = (this.#incarnations[id] ?? 0) + 1;
    return this.#incarnations[id]!;
  }

  /** Elects somebody if there is no live leader, or takes the partition offline. True if that is news. */
  react(): boolean {
    const { leader } = this.news;
    if (leader !== NO_ONE && this.isAlive(leader)) return false;
    const { replicas } = this.#cluster.config;
    return (
      replicas.some((id) => this.elect(id)) ||
      (this.#unclean && replicas.some((id) => this.#takeIfPossible({ action: 'ElectUnclean', args: [id] }))) ||
      this.#takeIfPossible({ action: 'PartitionOffline', args: [] })
    );
  }

  /** Moves leadership to a live member of the ISR. False if it is none. */
  elect(id: ReplicaId): boolean {
    return this.#takeIfPossible({ action: 'Elect', args: [id] });
  }

  /** A leader's change of the ISR is accepted only in the epoch that the controller is in. */
  alterIsr({ action, epoch, follower, leader }: Proposal): boolean {
    const state = this.#cluster.observe();
    const { controller } = state;
    if (controller.epoch !== epoch || controller.leader !== leader) return false;
    if (action === 'ExpandIsr' && !this.isAlive(follower)) return false;
    const others = controller.isr.filter((id) => id !== follower);
    state.controller = { ...controller, isr: action === 'ExpandIsr' ? [...others, follower].sort() : others };
    this.#cluster.reset(state);
    return true;
  }

  #setAlive(id: ReplicaId, alive: boolean): void {
    const state = this.#cluster.observe();
    const replica = state.replicas[id];
    if (replica === undefined) throw new RangeError(`There is no replica ${id}`);
    replica.memory.role = alive ? 'starting' : 'down';
    this.#cluster.reset(state);
  }

  #takeIfPossible(step: Step): boolean {
    if (this.#cluster.whyNot(step) !== null) return false;
    this.#cluster.step(step);
    this.#onStep(step);
    return true;
  }
}
