/**
 * The controller: it knows who is alive, elects leaders, and keeps the ISR. Its decisions are steps of src/replica, in a world
 * where a replica is alive or not, and nothing more.
 */
import {
  Cluster,
  type ClusterState,
  type Config,
  type LeaderAndIsr,
  NO_ONE,
  type ReplicaId,
  type Step,
} from '../replica/index.ts';

/** What must outlive the controller. */
export interface ControllerState {
  readonly news: LeaderAndIsr;
  readonly incarnations: Readonly<Record<ReplicaId, number>>;
}

/** The ISR that a leader asks for. */
export interface Proposal {
  readonly leader: ReplicaId;
  readonly epoch: number;
  readonly isr: readonly ReplicaId[];
  /** Who joins by it, or `none`; and in which of its lives the leader has seen it. */
  readonly joining: ReplicaId;
  readonly inIncarnation: number;
}

export class Controller {
  readonly #cluster: Cluster;
  readonly #unclean: boolean;
  readonly #onStep: (step: Step) => void;

  /** `unclean`: a replica out of sync may be elected if nobody else is left. */
  constructor(config: Config, unclean: boolean, state: ControllerState | null, onStep: (step: Step) => void) {
    this.#cluster = new Cluster(config);
    this.#unclean = unclean;
    this.#onStep = onStep;
    if (state === null) return;
    this.#enter((now) => {
      now.controller = state.news;
      for (const id of config.replicas) {
        now.replicas[id]!.memory.role = 'down';
        now.replicas[id]!.incarnation = state.incarnations[id] ?? 0;
      }
    });
  }

  get news(): LeaderAndIsr {
    return this.#cluster.observe().controller;
  }

  get state(): ControllerState {
    const { controller, replicas } = this.#cluster.observe();
    const incarnations = Object.entries(replicas).map(([id, { incarnation }]) => [id, incarnation]);
    return { news: controller, incarnations: Object.fromEntries(incarnations) };
  }

  /** All that the specification has of it: also what can be heard late, and who is eligible. */
  observe(): Pick<ClusterState, 'controller' | 'oldNews' | 'elr'> {
    const { controller, elr, oldNews } = this.#cluster.observe();
    return { controller, elr, oldNews };
  }

  isAlive(id: ReplicaId): boolean {
    return this.#cluster.observe().replicas[id]?.memory.role !== 'down';
  }

  /** The session of a broker has ended. What follows from that is decided in `react`. */
  gone(id: ReplicaId): void {
    this.#setAlive(id, false);
  }

  /** A broker comes back, in a new life, and gets its number. That its earlier one led is noticed first. */
  register(id: ReplicaId): number {
    this.#setAlive(id, false);
    if (this.#cluster.whyNot({ action: 'Restart', args: [id] }) !== null) this.react();
    this.#cluster.step({ action: 'Restart', args: [id] });
    return this.#cluster.observe().replicas[id]!.incarnation;
  }

  /** Elects somebody if there is no live leader, or takes the partition offline. True if that is news. */
  react(): boolean {
    const { leader } = this.news;
    if (leader !== NO_ONE && this.isAlive(leader)) return false;
    const { replicas } = this.#cluster.config;
    return (
      replicas.some((id) => this.elect(id)) ||
      (this.#unclean && replicas.some((id) => this.decide({ action: 'ElectUnclean', args: [id] }) === null)) ||
      this.decide({ action: 'PartitionOffline', args: [] }) === null
    );
  }

  /** Moves leadership to a live member of the ISR. False if it is none. */
  elect(id: ReplicaId): boolean {
    return this.decide({ action: 'Elect', args: [id] }) === null;
  }

  /** Takes a decision, or says why it cannot. */
  decide(step: Step): string | null {
    const reason = this.#cluster.whyNot(step);
    if (reason !== null) return reason;
    this.#cluster.step(step);
    this.#onStep(step);
    return null;
  }

  /** Why a broker that is down cannot come back yet. */
  whyNotBack(id: ReplicaId): string | null {
    return this.#cluster.whyNot({ action: 'Restart', args: [id] });
  }

  /** Accepted in the epoch that the controller is in, if who joins is alive. */
  alterIsr({ epoch, inIncarnation, isr, joining, leader }: Proposal): boolean {
    if (joining !== NO_ONE && !this.isAlive(joining)) return false;
    const asked = this.#cluster.observe();
    const memory = { ...asked.replicas[leader]!.memory };
    const { asksForIsr } = this.#cluster.config.profileOf[leader]!;
    // In which life the leader has seen who joins is said since KIP-903 only, to a controller that is asked.
    const life = asksForIsr ? inIncarnation : (asked.replicas[joining]?.incarnation ?? 0);
    const proposal = { isr, joining, inIncarnation: life, answer: 'none' } as const;
    Object.assign(asked.replicas[leader]!.memory, { role: 'leader', leaderEpoch: epoch, isrProposal: proposal });
    this.#cluster.reset(asked);
    this.#cluster.step({ action: 'AlterPartition', args: [leader] });
    const { answer } = this.#cluster.observe().replicas[leader]!.memory.isrProposal;
    this.#enter(({ replicas }) => {
      replicas[leader]!.memory = memory;
    });
    return answer === 'confirmed';
  }

  #setAlive(id: ReplicaId, alive: boolean): void {
    this.#enter(({ replicas }) => {
      const replica = replicas[id];
      if (replica === undefined) throw new RangeError(`There is no replica ${id}`);
      replica.memory.role = alive ? 'starting' : 'down';
    });
  }

  #enter(change: (state: ClusterState) => void): void {
    const state = this.#cluster.observe();
    change(state);
    this.#cluster.reset(state);
  }
}
