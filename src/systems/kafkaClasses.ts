import { findJava } from '../tlc/index.ts';
import { KafkaClassesError, kafkaClassPath } from './kafkaBuild.ts';
import { type ProcessSystem, processSystem } from './process.ts';
import { workFolder } from './workFolder.ts';

export { KafkaClassesError, type KafkaProblem } from './kafkaBuild.ts';

interface Family {
  /** Its folder of kafka/. */
  readonly folder: string;
  readonly mainClass: string;
  /** Whether inter-broker protocol and message format can be set to an older release's. */
  readonly protocolCanBeSet: boolean;
  /** The part of its folder that is for this release, if there is one. */
  readonly shape: string | null;
}

const OLD: Family = { folder: 'old', mainClass: 'leaderepoch.OldRelease', protocolCanBeSet: true, shape: '1.1' };
const NEW: Family = { folder: 'new', mainClass: 'leaderepoch.NewRelease', protocolCanBeSet: false, shape: null };
const MIDDLE = { folder: 'middle', mainClass: 'leaderepoch.MiddleRelease', protocolCanBeSet: false } as const;

const FAMILIES: Readonly<Record<string, Family>> = {
  '0.11.0.3': { ...OLD, shape: '0.11' },
  '1.1.0': OLD,
  '1.1.1': OLD,
  '2.0.0': OLD,
  '2.0.1': OLD,
  '2.8.0': { ...MIDDLE, shape: '2.8' },
  '2.8.2': { ...MIDDLE, shape: '2.8' },
  '3.4.0': { ...MIDDLE, shape: '3.4' },
  '3.9.1': { ...MIDDLE, shape: '3.9' },
  '4.4.0': NEW,
};

/** Releases of Kafka whose classes can be driven. */
export const kafkaReleases: readonly string[] = Object.keys(FAMILIES);

export interface KafkaClassesOptions {
  /** Default `process.env`; LEADER_EPOCH_CACHE names a folder for what is built. */
  readonly env?: NodeJS.ProcessEnv;
  readonly timeoutMs?: number;
}

export interface KafkaRelease {
  readonly version: string;
  /** An older release's: how a cluster runs in the middle of an upgrade. */
  readonly protocol: string | null;
  readonly family: Family;
}

/** `2.0.1`, or `1.1.1+0.10.2`: the code of one release with the inter-broker protocol and message format of another. */
export function parseKafkaRelease(text: string): KafkaRelease {
  const [version = '', protocol = null, ...more] = text.split('+');
  const family = FAMILIES[version];
  if (family === undefined || more.length > 0) {
    throw new KafkaClassesError(
      'unknownRelease',
      `There is no release "${text}" of Kafka's classes here. There are ${kafkaReleases.join(', ')}.`,
    );
  }
  if (protocol === null) return { version, protocol, family };
  if (!family.protocolCanBeSet || !/^\d+\.\d+(\.\d+)?$/.test(protocol)) {
    const remedy = family.protocolCanBeSet ? 'Give a release such as 0.10.2.' : `Kafka ${version} has none to choose.`;
    throw new KafkaClassesError('unknownRelease', `"${protocol}" is no inter-broker protocol. ${remedy}`);
  }
  return { version, protocol, family };
}

const MINIMUM_JAVA = 17;
/** Small: a replica set needs some 100 MB. C1 only: most runs are over before C2 would pay. */
const JVM = ['-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];

/** Kafka's own classes as a replica set, in one JVM. Throws a KafkaClassesError if this machine cannot run it. */
export async function kafkaClasses(release: string, options: KafkaClassesOptions = {}): Promise<ProcessSystem> {
  const { version, protocol, family } = parseKafkaRelease(release);
  const env = options.env ?? process.env;
  const java = await findJava({ env, minimumMajor: MINIMUM_JAVA });
  if (!java.ok) {
    const what = java.problem === 'tooOld' ? 'This Java is too old' : 'Java was not found, or does not run';
    throw new KafkaClassesError('noJava', `${what}. Install a JDK ${MINIMUM_JAVA} or later (PATH or JAVA_HOME).`);
  }
  const classPath = await kafkaClassPath({ family: family.folder, version, shape: family.shape }, env);
  const settings =
    protocol === null ? [] : [`inter.broker.protocol.version=${protocol}`, `log.message.format.version=${protocol}`];
  const name = `kafka-classes@${release}`;
  const folder = await workFolder(() => void close());
  let system: ProcessSystem | null = null;
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      await system?.close();
      await folder.remove();
    })();
    return closing;
  };
  try {
    system = await processSystem({
      command: java.java.path,
      args: [...JVM, '-cp', classPath, family.mainClass, name, folder.path, ...settings],
      name,
      ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
    });
    return { ...system, close };
  } catch (error) {
    await close();
    throw error;
  }
}
