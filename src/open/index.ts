import { memorySystem } from '../systems/memory.ts';
import type { System } from '../systems/system.ts';

/** A name of a system that there is not; the message lists those that there are. */
export class UnknownSystem extends Error {
  override readonly name = 'UnknownSystem';
}

const KAFKA_CLASSES = 'kafka-classes@';
const KAFKA_BROKERS = 'kafka@';
const PROCESS = 'process:';
/** A command line may have to compile what it runs first. */
const START_TIMEOUT_MS = 300_000;

/**
 * Opens a system by its name: `memory`, `disk`, `tcp`, `kafka-classes@<release>`, real brokers: `kafka@<release>`, or
 * `process:<command line>` for whatever speaks docs/process-protocol.md.
 * @throws UnknownSystem, or the system's own error if this machine cannot run it
 */
export async function openSystem(name: string, env: NodeJS.ProcessEnv): Promise<System> {
  if (name === 'memory') return memorySystem();
  if (name === 'disk') return (await import('../systems/disk.ts')).diskSystem();
  if (name === 'tcp') return (await import('../cluster/driven/system.ts')).tcpSystem();
  if (isForeign(name)) {
    const { processSystem } = await import('../systems/process.ts');
    const [command = '', ...args] = wordsOf(name.slice(PROCESS.length));
    return processSystem({ name, command, args, startTimeoutMs: START_TIMEOUT_MS });
  }
  const { kafkaClasses, kafkaReleases } = await import('../systems/kafkaClasses.ts');
  if (name.startsWith(KAFKA_CLASSES)) return kafkaClasses(name.slice(KAFKA_CLASSES.length), { env });
  const { brokers, brokerReleases } = await import('../brokers/index.ts');
  if (name.startsWith(KAFKA_BROKERS)) return brokers(name.slice(KAFKA_BROKERS.length), env);
  const known = [
    ...['memory', 'disk', 'tcp', `${PROCESS}<command>`],
    ...kafkaReleases.map((release) => KAFKA_CLASSES + release),
    ...brokerReleases.map((release) => KAFKA_BROKERS + release),
  ];
  throw new UnknownSystem(`There is no system "${name}". There are ${known.join(', ')}.`);
}

/** Somebody else's program: what it answers can be anything. */
export function isForeign(name: string): boolean {
  return name.startsWith(PROCESS);
}

/** No shell reads it, so nobody would see what quotes are to keep together. */
function wordsOf(commandLine: string): string[] {
  if (/^\s*$/.test(commandLine)) throw new UnknownSystem(`${PROCESS} is followed by a command line.`);
  if (!/["']/.test(commandLine)) return commandLine.trim().split(/\s+/);
  throw new UnknownSystem(
    `${PROCESS}${commandLine} is divided at blanks, without a shell: what needs quotes goes into a script.`,
  );
}
