import { type Message, messageText, UNDEFINED, type World } from '../../src/report/index.ts';
import type { Opened } from './opened.ts';

/** What happens over time, lane by lane: what a sequence diagram shows. */
export interface Sequence {
  /** Clients, the replicas, the controller. */
  readonly lanes: readonly string[];
  readonly arrows: readonly Arrow[];
  readonly notes: readonly Note[];
}

/** A message, from the step in which it is sent to the one in which it arrives, or is lost. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly sent: number;
  /** Null: still under way at the end. */
  readonly arrived: number | null;
  readonly lost: boolean;
  readonly reply: boolean;
  readonly label: string;
  readonly title: string;
  /** Where two would lie on each other: how far below its row it is drawn. */
  readonly shift?: number;
}

/** What happens in one lane. */
export interface Note {
  readonly step: number;
  readonly lane: string;
  readonly label: string;
  readonly kind: 'plain' | 'fault' | 'leads';
}

export const CLIENTS = 'clients';
export const CONTROLLER = 'controller';

export function sequenceOf(opened: Opened): Sequence {
  const lanes = [CLIENTS, ...opened.world(0).replicas.map(({ name }) => name), CONTROLLER];
  const arrows: Arrow[] = [];
  const open = new Map<string, Message & { sent: number }>();
  const close = (message: Message & { sent: number }, arrived: number | null, lost: boolean) => {
    arrows.push(arrowOf(message, arrived, lost));
  };
  for (let step = 0; step <= opened.last; step++) {
    const world = opened.world(step);
    const now = new Map(world.network.map((message) => [idOf(message), message]));
    if (step > 0 && sameKeys(open, now)) continue;
    for (const [id, message] of open) {
      if (now.has(id)) continue;
      close(message, step, isLost(message, opened.world(step - 1), world));
      open.delete(id);
    }
    for (const [id, message] of now) if (!open.has(id)) open.set(id, { ...message, sent: step });
  }
  for (const message of open.values()) close(message, null, false);
  arrows.push(...Array.from({ length: opened.last }, (_, index) => clientArrows(opened, index + 1)).flat());
  const notes = Array.from({ length: opened.last }, (_, index) => noteOf(opened, index + 1)).filter(
    (note) => note !== null,
  );
  return { lanes, arrows: arrows.sort((a, b) => a.sent - b.sent), notes };
}

/** What clients and a leader tell each other takes no time here. */
function clientArrows(opened: Opened, step: number): Arrow[] {
  const [before, after] = [opened.world(step - 1), opened.world(step)];
  const name = opened.action(step)?.name;
  const args = opened.args(step);
  const at = { sent: step, arrived: step, lost: false };
  const told = after.acked.filter(({ id }) => !before.acked.some((one) => one.id === id));
  const who = after.replicas.find((replica) => replica.name === args[0])?.name ?? after.controller.leader;
  const id = opened.written(step);
  const writes = name === 'Write';
  const shift = writes && told.length > 0 ? 9 : 0;
  const names = told.map((one) => `m${one.id}`).join(', ');
  return [
    ...(writes
      ? [
          {
            ...at,
            shift: -shift,
            from: CLIENTS,
            to: who,
            reply: false,
            label: `m${id}`,
            title: `a client writes m${id}`,
          },
        ]
      : []),
    ...(told.length > 0
      ? [
          {
            ...at,
            shift,
            from: who,
            to: CLIENTS,
            reply: true,
            label: `${names} stored`,
            title: `told that ${names} is stored`,
          },
        ]
      : []),
  ];
}

function sameKeys(a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): boolean {
  return a.size === b.size && [...a.keys()].every((key) => b.has(key));
}

/** A follower has one message under way; records need not be looked at to tell it from the next. */
function idOf({ type, follower, leader, leaderEpoch, offset, asked, error, hw, endOffset, records }: Message): string {
  return [type, follower, leader, leaderEpoch, offset, asked, error, hw, endOffset, records.length].join(' ');
}

/** It was under way, and went without having been handled: nothing came of it. */
export function isLost(message: Message, before: World, after: World): boolean {
  if (after.network.some(({ follower }) => follower === message.follower)) return false;
  if (!isReply(message)) return true;
  const [was, is] = [before, after].map((world) => world.replicas.find(({ name }) => name === message.follower));
  return is?.role !== 'halted' && (is?.role !== 'follower' || was?.leaderEpoch !== is.leaderEpoch);
}

export function isReply({ type }: Message): boolean {
  return type.endsWith('Response');
}

function arrowOf(message: Message & { sent: number }, arrived: number | null, lost: boolean): Arrow {
  const reply = isReply(message);
  const [from, to] = reply ? [message.leader, message.follower] : [message.follower, message.leader];
  return { from, to, sent: message.sent, arrived, lost, reply, label: shortText(message), title: messageText(message) };
}

/** A message in few words. */
export function shortText(message: Message): string {
  const { type, error, offset, asked, endOffset, diverging, hw, records } = message;
  switch (type) {
    case 'FetchRequest':
      return `fetch ${offset}`;
    case 'FetchResponse':
      if (error !== 'none') return error;
      if (diverging !== null) return `cut: e${diverging.epoch} ends ${diverging.endOffset}`;
      return `${records.map(({ id }) => `m${id}, `).join('')}HW ${hw}`;
    case 'OffsetsForLeaderEpochRequest':
      return asked === UNDEFINED ? 'end of −1?' : `end of e${asked}?`;
    case 'OffsetsForLeaderEpochResponse':
      if (error !== 'none') return error;
      return endOffset === UNDEFINED
        ? 'unknown'
        : `${message.epoch === UNDEFINED ? '' : `e${message.epoch} `}ends ${endOffset}`;
    default:
      return type;
  }
}

/** Actions with a word of their own; any other, if it is no message's, is told by its name. */
const WORDS: Readonly<Record<string, (args: readonly string[], opened: Opened, step: number) => string>> = {
  BecomeLeader: ([, epoch]) => `leads e${epoch}`,
  BecomeFollower: ([id], opened, step) => {
    const replica = opened.world(step).replicas.find(({ name }) => name === id);
    const cut =
      (opened.world(step - 1).replicas.find(({ name }) => name === id)?.log.length ?? 0) - (replica?.log.length ?? 0);
    return `follows ${replica?.leader}${cut > 0 ? `, cuts ${cut}` : ''}`;
  },
  Elect: ([id], opened, step) => `${id} leads e${opened.world(step).controller.epoch}`,
  ElectUnclean: ([id], opened, step) => `${id} leads e${opened.world(step).controller.epoch}, unclean`,
  PartitionOffline: () => 'no leader',
  Crash: () => 'crashes',
  PowerLoss: ([, kept]) => `power lost, keeps ${kept}`,
  Restart: () => 'restarts',
  Flush: () => 'flushes',
  CheckpointHighWatermark: () => 'HW to disk',
  FlushEpochFile: () => 'epochs to disk',
  ShrinkIsr: ([leader, id], opened, step) => `${asks(opened, step, leader)}ISR without ${id}`,
  ExpandIsr: ([leader, id], opened, step) => `${asks(opened, step, leader)}ISR with ${id}`,
  AlterPartition: ([leader], opened, step) => {
    const { isr, answer } = opened.world(step).replicas.find(({ name }) => name === leader)!.isrProposal;
    return answer === 'confirmed' ? `ISR ${isr.join(' ')}` : 'ISR refused';
  },
  HandleAlterPartitionResponse: ([leader], opened, step) => {
    const replica = opened.world(step).replicas.find(({ name }) => name === leader);
    return `knows ISR ${replica?.isr.join(' ')}`;
  },
};
const FAULTS = new Set(['Crash', 'PowerLoss', 'ElectUnclean', 'PartitionOffline']);
const OF_CONTROLLER = new Set(['Elect', 'ElectUnclean', 'PartitionOffline', 'AlterPartition']);

/** Since KIP-497 a leader asks for another ISR, and hears later what became of it. */
function asks(opened: Opened, step: number, leader: string | undefined): string {
  const replica = opened.world(step).replicas.find(({ name }) => name === leader);
  return (replica?.isrProposal.isr.length ?? 0) > 0 ? 'asks: ' : '';
}

function noteOf(opened: Opened, step: number): Note | null {
  const action = opened.action(step);
  if (action === null) return null;
  const args = opened.args(step);
  const own = args.find((arg) => opened.world(0).replicas.some(({ name }) => name === arg));
  const lane = OF_CONTROLLER.has(action.name) ? CONTROLLER : (own ?? CONTROLLER);
  const word = WORDS[action.name];
  if (word === undefined && (action.name === 'Write' || movesMessage(opened, step))) return null;
  const label = word?.(args, opened, step) ?? action.name;
  const kind = FAULTS.has(action.name) ? 'fault' : action.name === 'BecomeLeader' ? 'leads' : 'plain';
  return { step, lane, label, kind };
}

/** Steps of messages are seen as arrows. */
function movesMessage(opened: Opened, step: number): boolean {
  return idsOf(opened.world(step - 1)) !== idsOf(opened.world(step));
}

function idsOf({ network }: World): string {
  return network.map(idOf).sort().join();
}
