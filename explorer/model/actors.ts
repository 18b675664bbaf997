import type { WorldStep } from '../../src/systems/system.ts';
import { words } from './names.ts';
import type { Choice, Session } from './session.ts';

/** Who can do something now, and what. */
export interface Actor {
  readonly name: string;
  readonly role: string;
  readonly steps: readonly WorldStep[];
}

const BY_CONTROLLER = new Set(['Elect', 'ElectUnclean', 'PartitionOffline']);

/** The replicas, in order, and the controller: each with what it can do. Who can do nothing is left out. */
export function actorsOf(session: Session, choices: readonly Choice[]): Actor[] {
  const world = session.opened.world(session.opened.last);
  const steps = choices.flatMap(({ possible }) => possible);
  const ofReplica = world.replicas.map(({ name, role }): Actor => {
    const own = steps.filter(({ action, args }) => !BY_CONTROLLER.has(action) && args[0] === name);
    return { name, role, steps: own };
  });
  const others = steps.filter((step) => !ofReplica.some((actor) => actor.steps.includes(step)));
  const controller = { name: 'Controller', role: '', steps: others };
  return [...ofReplica, controller].filter(({ steps: own }) => own.length > 0);
}

/** Steps in words; an action that is not here is told by its name and arguments. */
const LABELS: Readonly<Record<string, (args: readonly (string | number)[], session: Session) => string>> = {
  Write: ([, acks], session) => `client writes m${session.opened.written(session.opened.last) + 1}, acks=${acks}`,
  BecomeLeader: ([, epoch]) => `hears that it leads in e${epoch}`,
  BecomeFollower: ([, epoch], session) => {
    const { controller } = session.opened.world(session.opened.last);
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
  ShrinkIsr: ([, follower]) => `takes ${follower} out of the ISR`,
  ExpandIsr: ([, follower]) => `lets ${follower} into the ISR`,
  Elect: ([id]) => `elects ${id}`,
  ElectUnclean: ([id]) => `elects ${id}, uncleanly`,
  PartitionOffline: () => 'takes the partition offline',
  CheckpointHighWatermark: () => 'writes its HW to disk',
  Flush: () => 'flushes its log',
  Crash: () => 'crashes',
  PowerLoss: ([, kept]) => `loses power, keeps ${kept} ${kept === 1 ? 'record' : 'records'}`,
  Restart: () => 'starts again',
  LoseMessage: () => 'loses its connection',
};

export function labelOf({ action, args }: WorldStep, session: Session): string {
  return LABELS[action]?.(args, session) ?? [words(action).toLowerCase(), ...args.slice(1)].join(' ');
}
