import { switchesOf } from '../../src/systems/memory.ts';
import type { WorldStep } from '../../src/systems/system.ts';
import { words } from './names.ts';
import type { Opened } from './opened.ts';

/** Steps in words, for who takes them, told before they are; an action that is not here is told by its name and arguments. */
const LABELS: Readonly<Record<string, (args: readonly (string | number)[], opened: Opened, index: number) => string>> =
  {
    Write: ([, acks], opened, index) => `client writes m${opened.written(index) + 1}, acks=${acks}`,
    BecomeLeader: ([, epoch]) => `hears that it leads in e${epoch}`,
    BecomeFollower: ([, epoch], opened, index) => {
      const { controller } = opened.world(index);
      return controller.epoch === epoch
        ? `hears that ${controller.leader} leads in e${epoch}`
        : `hears of epoch e${epoch}, old news`;
    },
    SendFetch: () => 'sends a fetch',
    HandleFetch: ([, follower]) => `answers ${follower}'s fetch`,
    HandleFetchResponse: () => 'takes the reply to its fetch',
    SendOffsetsForLeaderEpoch: () => 'asks its leader where to cut',
    HandleOffsetsForLeaderEpoch: ([, follower]) => `answers ${follower}'s question where to cut`,
    HandleOffsetsForLeaderEpochResponse: () => 'cuts as the answer says',
    ShrinkIsr: ([id, follower], opened) =>
      asksController(opened, id) ? `asks for an ISR without ${follower}` : `takes ${follower} out of the ISR`,
    ExpandIsr: ([id, follower], opened) =>
      asksController(opened, id) ? `asks for an ISR with ${follower}` : `lets ${follower} into the ISR`,
    AlterPartition: ([id]) => `answers ${id}, which asks for another ISR`,
    HandleAlterPartitionResponse: () => 'hears what became of the ISR it asked for',
    Elect: ([id]) => `elects ${id}`,
    ElectUnclean: ([id]) => `elects ${id}, uncleanly`,
    PartitionOffline: () => 'takes the partition offline',
    CheckpointHighWatermark: () => 'writes its HW to disk',
    FlushEpochFile: () => 'writes its epoch file',
    Flush: () => 'flushes its log',
    Crash: () => 'crashes',
    PowerLoss: ([, kept]) => `loses power, keeps ${kept} ${kept === 1 ? 'record' : 'records'}`,
    Restart: () => 'starts again',
    LoseMessage: () => 'loses its connection',
  };

const BY_CONTROLLER = new Set(['Elect', 'ElectUnclean', 'PartitionOffline', 'AlterPartition']);

/** Who takes a step: a replica, or null for the controller. */
export function actorOf({ action, args }: WorldStep): string | null {
  return BY_CONTROLLER.has(action) ? null : String(args[0] ?? '');
}

/** `index`: of the state in which the step may be taken. */
export function labelOf({ action, args }: WorldStep, opened: Opened, index: number): string {
  return LABELS[action]?.(args, opened, index) ?? [words(action).toLowerCase(), ...args.slice(1)].join(' ');
}

/** The same as a sentence of its own: `B hears that it leads in e2.` */
export function nextText(step: WorldStep, opened: Opened, index: number): string {
  const label = labelOf(step, opened, index);
  if (step.action === 'Write') return `A ${label.replace('writes', `writes to ${step.args[0]}:`)}.`;
  return `${actorOf(step) ?? 'The controller'} ${label}.`;
}

/** Since KIP-497 a leader asks the controller for another ISR, where the profile looks at that. */
function asksController({ config }: Opened, id: string | number | undefined): boolean {
  const profile = config?.profileOf[String(id)];
  return profile !== undefined && switchesOf(profile).asksForIsr;
}
