import { setTimeout as delay } from 'node:timers/promises';
import type { Probe } from './broker.ts';
import type { BrokerSet } from './brokerSet.ts';
import { type OnDisk, readDisk } from './disk.ts';
import { BrokerError } from './error.ts';
import { isAlive, type Member } from './member.ts';
import { cause, PATIENCE_MS } from './process.ts';
import { Connection } from './wire/connection.ts';

/** What can be seen of a replica while nothing moves. */
export interface Sight {
  readonly disk: OnDisk;
  /** Null while it is down. */
  readonly probe: Probe | null;
}

export type Sights = ReadonlyMap<Member, Sight>;

const POLL_MS = 5;
/** A producer whose record is committed is answered at once. One that is not after so long is reported as waiting. */
const ANSWER_MS = 10_000;

/** Waits until nothing moves any more, and looks at everything. */
export async function sightsOf(set: BrokerSet): Promise<Sights> {
  for (const member of set.members) await untilAsked(set, member);
  return new Map(await Promise.all(set.members.map(async (member) => [member, await look(set, member)] as const)));
}

/** A fetcher thread does one thing after the other: that it asks again shows that it is done with what was before. */
async function untilAsked(set: BrokerSet, member: Member): Promise<void> {
  for (const deadline = performance.now() + PATIENCE_MS; ; ) {
    const gate = set.gateOf(member);
    if (gate === null || gate.parked !== null || !isAlive(member)) return;
    const { broker } = member;
    if ((await set.options.client.gaveUp?.(broker, set.topic)) === true) return;
    if (broker.process.ended !== null || !(await isListening(broker.port))) await set.halt(member);
    if (performance.now() > deadline) {
      const output = cause(await broker.process.output());
      throw new BrokerError('timeout', `The fetcher of broker ${member.name} asks its leader nothing.\n${output}`);
    }
    await Promise.race([gate.changed(), delay(POLL_MS)]);
  }
}

async function isListening(port: number): Promise<boolean> {
  return Connection.open(port).then(
    (connection) => {
      connection.close();
      return true;
    },
    () => false,
  );
}

/** The high watermark reaches the disk within milliseconds: until then it is not what a step has led to. */
async function look(set: BrokerSet, member: Member): Promise<Sight> {
  for (const deadline = performance.now() + PATIENCE_MS; ; await delay(POLL_MS)) {
    const probe = isAlive(member) ? await set.options.client.probe(member.broker, set.topic) : null;
    const disk = await readDisk(member.logFolder, `${set.topic.name}-0`);
    if (probe === null || probe.hw === null || probe.hw === disk.checkpoint) return { disk, probe };
    if (performance.now() > deadline) {
      const shown = `checkpoint ${disk.checkpoint}, high watermark ${probe.hw}`;
      throw new BrokerError('timeout', `broker ${member.name} does not write its high watermark to disk: ${shown}`);
    }
  }
}

/** Waits for the answers that Kafka owes: of records that the high watermark has passed, and of one that leads no more. */
export async function untilAnswered(member: Member, sight: Sight | undefined): Promise<void> {
  if (!sight?.probe) return;
  const { disk, probe } = sight;
  const owed = member.waiting.filter(({ id }) => {
    const offset = disk.log.findIndex((record) => record.id === id);
    return probe.role !== 'leader' || (offset !== -1 && offset < (probe.hw ?? 0));
  });
  await Promise.race([Promise.all(owed.map(({ answered }) => answered)), delay(ANSWER_MS, undefined, { ref: false })]);
}
