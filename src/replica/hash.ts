import type { Message } from './messages.ts';
import type { ClusterState, LogRecord } from './state.ts';

/**
 * A number of 32 bits that equal states share, for tables of states. States that differ may share it too, so it need not
 * know all of a state; `equalStates` decides.
 */
export function hash(state: ClusterState): number {
  const { replicas, controller, network } = state;
  let h = mix(controller.epoch, ofText(controller.leader) + controller.isr.length);
  for (const id in replicas) {
    const { disk, incarnation, memory } = replicas[id]!;
    h = mix(h, incarnation * 31 + disk.flushed * 37 + disk.checkpoint * 41 + memory.hw * 43 + memory.leaderEpoch);
    h = mix(h, ofText(memory.role) ^ ofText(memory.fetchState) ^ (memory.epochStart * 47 + memory.pending.length));
    h = mix(h, ofRecords(disk.log) + ofText(memory.leader) + memory.isr.length);
    for (const { epoch, start } of disk.epochCache) h = mix(h, epoch * 53 + start);
    for (const other in memory.remoteLeo) h = mix(h, memory.remoteLeo[other]!);
  }
  for (const { epoch } of state.oldNews) h = mix(h, epoch);
  for (const message of network) h = mix(h, ofMessage(message));
  return h;
}

function ofMessage(message: Message): number {
  let h = mix(ofText(message.type) ^ ofText(message.follower), message.leaderEpoch * 31 + message.incarnation);
  if ('offset' in message) h = mix(h, message.offset * 37 + message.lastFetchedEpoch);
  if ('records' in message) h = mix(h, ofRecords(message.records) + message.hw * 41 + message.endOffset);
  if ('asked' in message) h = mix(h, message.asked);
  return h;
}

function ofRecords(records: readonly LogRecord[]): number {
  let h = records.length;
  for (const { id, epoch } of records) h = mix(h, id * 59 + epoch);
  return h;
}

function mix(h: number, part: number): number {
  const mixed = Math.imul(h ^ part, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}

const texts = new Map<string, number>();

/** Names are few, and come again and again. */
function ofText(text: string): number {
  const known = texts.get(text);
  if (known !== undefined) return known;
  let h = 0;
  for (let at = 0; at < text.length; at++) h = mix(h, text.charCodeAt(at) + 1);
  texts.set(text, h);
  return h;
}
