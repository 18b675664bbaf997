import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningCluster } from '../cluster/index.ts';
import { switchesOf } from '../systems/memory.ts';
import type { SystemConfig } from '../systems/system.ts';
import { AS_CLAIMED, type Io, UsageError } from './io.ts';
import { needFolder } from './output.ts';
import { checkProfileOfBrokers } from './profile.ts';

export interface ClusterCommand {
  readonly brokers: number;
  readonly port: number;
  readonly topic: string;
  readonly profile: string;
  readonly minIsr: number;
  readonly unclean?: boolean;
  readonly folder?: string;
  readonly events?: boolean;
}

const HOST = '127.0.0.1';
const MAX_PORT = 65_535;
const RESTART_MS = 3_000;

/** Who is killed does not log it, and nor does anybody else; what the controller answers is logged by who hears of it. */
function unlogged(profile: string): string[] {
  return ['Crash', 'LoseMessage', ...(switchesOf(profile).asksForIsr ? ['AlterPartition'] : [])];
}

/** `leader-epoch cluster`: brokers on this machine, for clients of Kafka, until Ctrl-C. */
export async function cluster(options: ClusterCommand, io: Io): Promise<number> {
  await checkProfileOfBrokers(options.profile);
  if (options.minIsr > options.brokers) {
    throw new UsageError(`${options.brokers} brokers cannot have ${options.minIsr} in-sync replicas.`);
  }
  const lastPort = options.port === 0 ? 0 : options.port + options.brokers - 1;
  if (lastPort > MAX_PORT) {
    throw new UsageError(
      `The last of ${options.brokers} brokers would be at port ${lastPort}: the first needs a lower one.`,
    );
  }
  const { BrokerStartError, ClusterFolderError, headerLine, startCluster } = await import('../cluster/index.ts');
  if (options.folder !== undefined) await needFolder(options.folder);
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'leader-epoch-')));
  const { brokers, minIsr, port, profile, topic } = options;
  if (options.events === true) io.out(headerLine(configOf(options), unlogged(profile)));
  let running: RunningCluster | null = null;
  let fail = (_error: unknown): void => {};
  const ended = new Promise<void>((resolve, reject) => {
    fail = reject;
    if (io.signal.aborted) resolve();
    else io.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  // It may fail before anybody waits for it.
  ended.catch(() => {});
  const restarts: NodeJS.Timeout[] = [];
  const onEvent = (by: string | null, step: object) => io.out(JSON.stringify({ by: by ?? 'controller', ...step }));
  try {
    running = await startCluster({
      ...{ folder, topic, brokers, port, profile, minIsr, host: HOST, unclean: options.unclean === true },
      ...(options.events === true ? { onStep: onEvent } : {}),
      onShownOut: (id, what) => io.err(`Broker ${id} has closed the connection of ${what}`),
      onSaid: (id, what) => io.err(`Broker ${id}: ${what}`),
      onFailure: fail,
      onDeath: (id) => {
        io.err(`Broker ${id} has died. It starts again in ${RESTART_MS / 1000} s.`);
        restarts.push(
          setTimeout(() => void running?.start(id).catch((error: Error) => io.err(error.message)), RESTART_MS),
        );
      },
    });
    const servers = [...running.addresses.values()].map((address) => `${address.host}:${address.port}`).join(',');
    io.err(`${brokers} brokers under ${profile} at ${servers}; files in ${folder}. Ctrl-C ends them.`);
    const pids = [...running.addresses].map(([id, { pid }]) => `${id}: ${pid}`).join(', ');
    io.err(`  processes ${pids}`);
    io.err(`  kcat -b ${servers} -t ${topic} -P`);
    await ended;
    return AS_CLAIMED;
  } catch (error) {
    if (error instanceof ClusterFolderError) throw new UsageError(error.message);
    if (!(error instanceof BrokerStartError)) throw error;
    const isPort = /EADDRINUSE|EACCES/.test(error.message);
    throw new UsageError(
      isPort ? `${error.message}. Choose another port with --port, or 0 for any that are free.` : error.message,
    );
  } finally {
    for (const timer of restarts) clearTimeout(timer);
    await running?.close();
    if (options.folder === undefined) await rm(folder, { recursive: true, force: true });
  }
}

/** As the specification has it, for whoever reads the events. */
function configOf({ brokers, minIsr, profile }: ClusterCommand): SystemConfig {
  const replicas = Array.from({ length: brokers }, (_, index) => String(index + 1));
  const profileOf = Object.fromEntries(replicas.map((id) => [id, profile]));
  const fixed = { lazyCheckpoint: true, resumeSameEpoch: false, oldNews: true };
  return { replicas, firstLeader: '1', profileOf, minIsr, ...fixed };
}
