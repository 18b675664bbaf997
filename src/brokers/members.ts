import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrokerSetOptions } from './brokerSet.ts';
import type { Topic } from './controller.ts';
import { Gate } from './gate.ts';
import { isAlive, type Member } from './member.ts';
import { freePort, startJava } from './process.ts';
import { FETCH, OFFSET_FOR_LEADER_EPOCH } from './wire/replication.ts';

const GATED = new Set([FETCH, OFFSET_FOR_LEADER_EPOCH]);

/** Brokers that are still down, each with a folder and a port of its own, and with a gate before each of the others. */
export async function newMembers(names: readonly string[], folder: string): Promise<Member[]> {
  const members: (Member & { gates: Map<number, Gate> })[] = [];
  for (const [index, name] of names.entries()) {
    const home = join(folder, `broker-${index + 1}`);
    await rm(home, { recursive: true, force: true });
    const place = { folder: home, logFolder: join(home, 'data'), port: await freePort() };
    members.push({ name, number: index + 1, ...place, gates: new Map(), ...fresh() });
  }
  for (const { number, gates } of members) {
    for (const leader of members) {
      if (leader.number === number) continue;
      const target = (): number | null => (isAlive(leader) ? leader.port : null);
      gates.set(leader.number, await Gate.open({ gated: GATED, target }));
    }
  }
  return members;
}

/** What a member of a new cluster begins with. */
export function fresh() {
  return {
    broker: null,
    halted: false,
    incarnation: 0,
    flushed: 0,
    heard: null,
    isr: [],
    checkpointed: null,
    underWay: null,
    handled: null,
    waiting: [],
  };
}

/** Starts the process, and waits until it answers. */
export async function startMember(member: Member, topic: Topic, options: BrokerSetOptions): Promise<void> {
  const { kind, controller, client, java } = options;
  await mkdir(member.folder, { recursive: true });
  const file = join(member.folder, 'server.properties');
  const settings = { ...kind.settings, ...controller.settings(member.number), ...ownSettings(member) };
  const lines = Object.entries(settings).map(([key, value]) => `${key}=${value}\n`);
  const process = await startJava({
    name: `broker ${member.name}`,
    java,
    args: [...kind.javaArgs(member.number), file],
    folder: member.folder,
    before: async () => {
      await kind.prepare?.(member);
      await writeFile(file, lines.join(''));
    },
  });
  const { name, number, port, logFolder } = member;
  const broker = { name, number, port, logFolder, process };
  member.broker = broker;
  member.halted = false;
  await process.until('answers', () => client.probe(broker, topic).catch(() => null));
  await controller.joined(broker);
}

function ownSettings({ number, port, logFolder }: Member): Record<string, string> {
  return { 'broker.id': `${number}`, listeners: `PLAINTEXT://127.0.0.1:${port}`, 'log.dirs': logFolder };
}

/** The process, and the gates before the others. */
export async function stopMember(member: Member): Promise<void> {
  await member.broker?.process.kill();
  await Promise.all([...member.gates.values()].map((gate) => gate.close()));
}
