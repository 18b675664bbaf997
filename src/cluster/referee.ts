import { judge, Run } from '../replay/index.ts';
import type { Disk, ReplicaId, Role, Step } from '../replica/index.ts';
import type { SystemConfig, WorldStep } from '../systems/system.ts';
import type { Member } from './member.ts';

/** Something else happened than the protocol allows: a mistake of the broker, or of the simulation. */
export class SimulationError extends Error {
  override readonly name = 'SimulationError';
}

/** The first property that broke, how, and after which step. */
export interface Broken {
  readonly property: string;
  readonly what: string;
  readonly index: number;
}

export interface RefereeOptions {
  readonly properties: readonly string[];
  readonly onStep?: (step: WorldStep, run: Run) => void;
}

/** The protocol as a whole takes each step too: it must allow it, and come to the same state of who took it. */
export class Referee {
  readonly run: Run;
  readonly steps: WorldStep[] = [];
  broken: Broken | null = null;
  readonly #options: RefereeOptions;

  constructor(config: SystemConfig, options: RefereeOptions) {
    this.run = new Run(config);
    this.#options = options;
  }

  /** A step was taken by a member, or by the world. False: it was none. */
  took(step: Step, member: Member | null): boolean {
    const index = this.steps.length + 1;
    const worldStep: WorldStep = { action: step.action, args: step.args };
    const outcome = this.run.step(worldStep);
    // After a loss of power all that is left is flushed; a broker cannot know that, and flushes once more.
    if (outcome.kind === 'refused' && step.action === 'Flush') return false;
    if (outcome.kind === 'refused') {
      throw new SimulationError(`Step ${index}, ${step.action}(${step.args.join(', ')}): ${outcome.reason}`);
    }
    this.steps.push(worldStep);
    if (member !== null) this.compare(member);
    this.#options.onStep?.(worldStep, this.run);
    const seen = this.run.observe();
    for (const property of this.#options.properties) {
      const what = judge(property, seen, this.run.ghosts);
      if (what !== null) this.broken ??= { property, what, index };
    }
    return true;
  }

  compare(member: Member): void {
    const { disk, memory } = this.run.cluster.save().replicas[member.id] ?? {};
    const own = member.replica;
    const flushed = Math.max(own.disk.flushed, disk?.flushed ?? 0);
    // An answer of the controller that is under way is not known yet to whom it goes to.
    const isrProposal = memory && { ...memory.isrProposal, answer: own.memory.isrProposal.answer };
    const expected = JSON.stringify([disk, { ...memory, isrProposal }]);
    const found = JSON.stringify([{ ...own.disk, flushed }, own.memory]);
    if (expected === found) return;
    const after = this.steps.at(-1);
    const where = `After ${after?.action}(${after?.args.join(', ')})`;
    throw new SimulationError(`${where} ${member.id} is ${found}, not ${expected}`);
  }

  /** What a replica that starts has found: as much as a loss of power has left. */
  found(id: ReplicaId, { log }: Disk): void {
    const expected = this.run.cluster.save().replicas[id]?.disk.log.length;
    if (expected !== log.length) throw new SimulationError(`${id} has ${log.length} records, not ${expected}`);
  }

  /** Whether a leader has asked for another ISR, in this epoch, and is not answered. */
  asksForIsr(id: ReplicaId, epoch: number): boolean {
    const memory = this.run.cluster.save().replicas[id]?.memory;
    return memory?.leaderEpoch === epoch && memory.isrProposal.isr.length > 0 && memory.isrProposal.answer === 'none';
  }

  roleOf(id: ReplicaId): Role | undefined {
    return this.run.cluster.save().replicas[id]?.memory.role;
  }
}
