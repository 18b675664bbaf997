import { type KafkaBuild, kafkaClassPath } from '../systems/kafkaBuild.ts';
import type { System } from '../systems/system.ts';
import { findJava } from '../tlc/index.ts';
import type { BrokerSetOptions } from './brokerSet.ts';
import { BrokerSystem } from './brokerSystem.ts';
import { BrokerError } from './error.ts';
import { workFolder } from './process.ts';

/** Where brokers run. */
export interface Place {
  readonly java: string;
  /** With kafka.Kafka. */
  readonly classPath: string;
  /** Of this run; it is removed in the end. */
  readonly folder: string;
}

const MINIMUM_JAVA = 17;

/** Small and quick to start: a broker here needs some 100 MB, and lives for seconds. */
export const JVM = [
  '-Xmx256m',
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  '-Xshare:auto',
  // A file of its own for each JVM, which one that is killed leaves behind.
  '-XX:-UsePerfData',
];

/** Finds or fetches what is needed, and starts who plays the controller. Throws if this machine cannot run them. */
export async function startBrokers(
  build: KafkaBuild,
  env: NodeJS.ProcessEnv,
  make: (place: Place) => Promise<BrokerSetOptions>,
): Promise<System> {
  const java = await findJava({ env, minimumMajor: MINIMUM_JAVA });
  if (!java.ok) {
    const what = java.problem === 'tooOld' ? 'This Java is too old' : 'Java was not found, or does not run';
    throw new BrokerError('noJava', `${what}. Install Java ${MINIMUM_JAVA} or later (PATH or JAVA_HOME).`);
  }
  const classPath = await kafkaClassPath(build, env);
  let system: BrokerSystem | null = null;
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closing ??= Promise.resolve(system?.close()).finally(() => folder.remove());
    return closing;
  };
  const folder = await workFolder(() => void close());
  try {
    const options = await make({ java: java.java.path, classPath, folder: folder.path });
    const running = new BrokerSystem(options);
    system = running;
    await options.controller.start();
    // Closing breaks what is under way in many ways; what matters is that it has been closed.
    const unlessClosed = async <T>(use: Promise<T>): Promise<T> => {
      try {
        return await use;
      } catch (error) {
        throw closing === null ? error : new BrokerError('closed', `${running.name} has been closed.`);
      }
    };
    return {
      name: running.name,
      observable: running.observable,
      reset: (config) => unlessClosed(running.reset(config)),
      step: (step) => unlessClosed(running.step(step)),
      observe: () => unlessClosed(running.observe()),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
