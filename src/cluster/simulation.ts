/**
 * A whole cluster in one process, on a simulated clock, network and disk: the same brokers and the same controller as on
 * sockets. One seed, one run. Whatever happens is also taken as a step of the protocol as a whole, which must allow it, and
 * must come to the same state of the replica that took it: so each run is a behaviour of src/replica, and its trace can be
 * given to TLC.
 */
import type { ClientEvent } from '../conform/history.ts';
import type { Run } from '../replay/index.ts';
import { seeded } from '../replay/seeded.ts';
import { profileOfAll } from '../replica/index.ts';
import { switchesOf } from '../systems/memory.ts';
import type { SystemConfig, WorldStep } from '../systems/system.ts';
import { type Broken, Referee } from './referee.ts';
import type { Logged } from './runLog.ts';
import { SimulatedClients } from './simulatedClients.ts';
import { SimulatedCluster, TOPIC } from './simulatedCluster.ts';
import { World } from './simulatedWorld.ts';

export interface SimulationOptions {
  readonly seed: number;
  /** As in spec/Profiles.tla. */
  readonly profile: string;
  readonly replicas: readonly string[];
  readonly minIsr: number;
  readonly powerLoss: boolean;
  /** So many steps of the protocol under faults; then it comes to rest, with some more. */
  readonly steps: number;
  readonly properties: readonly string[];
  readonly onStart?: (run: Run) => void;
  /** After each step, with all that the specification sees. */
  readonly onStep?: (step: WorldStep, run: Run) => void;
  /** After each step, with what the one who took it sees. */
  readonly onLogged?: (logged: Logged) => void;
}

export interface Simulated {
  readonly steps: readonly WorldStep[];
  readonly broken: Broken | null;
  /** What producers were told is stored. */
  readonly acknowledged: readonly number[];
  /** What clients gave and saw. */
  readonly history: readonly ClientEvent[];
  /** When all faults had ended, a leader came to have committed all that it has, and was read from at last. */
  readonly isSettled: boolean;
  readonly faults: number;
  readonly config: SystemConfig;
}

/** So much happens in a piece. */
const PIECE = 1_000;

/** Long after the last timer. */
const SETTLES_MS = 5_000;

export function simulate(options: SimulationOptions): Simulated {
  return toTheEnd(simulation(options));
}

export function toTheEnd<T>(pieces: Generator<void, T>): T {
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return value;
  }
}

/** The same in pieces: between them the caller can look at something else. */
export function* simulation(options: SimulationOptions): Generator<void, Simulated> {
  const { minIsr, onLogged, profile, replicas, seed } = options;
  const firstLeader = replicas[0] ?? '';
  const fixed = { minIsr, firstLeader, lazyCheckpoint: true, resumeSameEpoch: false, oldNews: true };
  const config = { ...fixed, replicas, profileOf: Object.fromEntries(replicas.map((id) => [id, profile])) };
  const referee = new Referee(config, options);
  const random = seeded(seed);
  options.onStart?.(referee.run);
  const ownConfig = { ...fixed, replicas, profileOf: profileOfAll(switchesOf(profile), replicas) };
  const cluster = new SimulatedCluster(ownConfig, referee, random, onLogged);
  const clients = new SimulatedClients(TOPIC);
  const world = new World({ cluster, clients, referee, random, replicas, powerLoss: options.powerLoss });
  for (let happened = 1; referee.steps.length < options.steps && referee.broken === null; happened++) {
    if (!cluster.clock.next()) break;
    if (happened % PIECE === 0) yield;
  }
  world.end();
  const isSettled = referee.broken === null && settles(cluster, clients, referee);
  return {
    ...{ steps: referee.steps, broken: referee.broken, isSettled, faults: world.faults, config },
    ...{ acknowledged: clients.acknowledged, history: clients.history },
  };
}

/** All faults have ended. What a consumer reads then is the last word. */
function settles(cluster: SimulatedCluster, clients: SimulatedClients, referee: Referee): boolean {
  const { clock } = cluster;
  const until = clock.now + SETTLES_MS;
  while (referee.broken === null && clock.now < until && clock.next()) {
    const leader = cluster.settledLeader();
    if (leader !== null && clients.read(leader, 'lastRead')) return true;
  }
  return false;
}
