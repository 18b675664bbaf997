import type { ReplicaId } from '../replica/index.ts';
import type { Referee } from './referee.ts';
import type { SimulatedClients } from './simulatedClients.ts';
import type { SimulatedCluster } from './simulatedCluster.ts';

const HAPPENINGS_MS = 12;
const CUT_OFF_MS = 150;

export interface WorldOptions {
  readonly cluster: SimulatedCluster;
  readonly clients: SimulatedClients;
  readonly referee: Referee;
  readonly random: () => number;
  readonly replicas: readonly ReplicaId[];
  readonly powerLoss: boolean;
}

/** What is done to a cluster, at random: by clients, by whoever moves leadership, and by chance. */
export class World {
  faults = 0;
  readonly #options: WorldOptions;
  #hasEnded = false;

  constructor(options: WorldOptions) {
    this.#options = options;
    options.cluster.clock.after(HAPPENINGS_MS, () => this.#somethingHappens());
  }

  /** Nothing more is done to the cluster: it comes to rest. */
  end(): void {
    this.#hasEnded = true;
    this.#options.cluster.network.mendAll();
  }

  #somethingHappens(): void {
    if (this.#hasEnded) return;
    const { cluster, powerLoss, random } = this.#options;
    const { down, up } = cluster;
    const one = this.#pick(up);
    const chance = random();
    if (chance < 0.45) this.#produce();
    else if (chance < 0.55) this.#consume();
    else if (chance < 0.63 && one !== undefined) this.#stop(one, false);
    else if (chance < 0.68 && one !== undefined && powerLoss) this.#stop(one, true);
    else if (chance < 0.78 && one !== undefined) cluster.moveLeadership(one);
    else if (chance < 0.86) this.#breakConnection();
    else if (chance < 0.92) this.#cutOff();
    else if (down.length > 0) cluster.restart(this.#pick(down) as ReplicaId);
    cluster.clock.after(1 + random() * HAPPENINGS_MS * 2, () => this.#somethingHappens());
  }

  #produce(): void {
    const { clients, cluster, random, referee } = this.#options;
    const broker = this.#someLeader(cluster);
    if (broker === null) return;
    const before = referee.run.ghosts.written;
    const acks = random() < 0.7 ? 'all' : '1';
    clients.produce(broker, acks, () => referee.run.ghosts.written > before);
  }

  #consume(): void {
    const broker = this.#someLeader(this.#options.cluster);
    if (broker !== null) this.#options.clients.read(broker, 'read');
  }

  #stop(id: ReplicaId, powerLoss: boolean): void {
    this.faults++;
    this.#options.cluster.stop(id, powerLoss);
  }

  #breakConnection(): void {
    const connection = this.#pick(this.#options.cluster.network.connections);
    if (connection === undefined) return;
    this.faults++;
    connection.close(null);
  }

  /** Two replicas cannot reach each other for a while. */
  #cutOff(): void {
    const { cluster, random, replicas } = this.#options;
    const [one, other] = [this.#pick(replicas), this.#pick(replicas)];
    if (one === undefined || other === undefined || one === other) return;
    this.faults++;
    cluster.clock.after(random() * CUT_OFF_MS, cluster.network.cutOff(one, other));
  }

  #someLeader(cluster: SimulatedCluster) {
    const leader = this.#pick(cluster.leaders);
    return leader === undefined ? null : cluster.brokerOf(leader);
  }

  #pick<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(this.#options.random() * from.length)];
  }
}
