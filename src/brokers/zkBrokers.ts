import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { System } from '../systems/system.ts';
import { parseZkRelease } from './releases.ts';
import { LAG_MS, NEVER_MS, SETTINGS } from './settings.ts';
import { JVM, startBrokers } from './startBrokers.ts';
import { ZkClient } from './zkClient.ts';
import { ZkController } from './zkController.ts';
import { zkDialect } from './zkDialect.ts';

const LOG4J = fileURLToPath(new URL('../../kafka/brokers/resources/log4j.properties', import.meta.url));

const ONCE_AND_FOR_ALL =
  'its high watermark does not follow a smaller ISR (KAFKA-13091), and a leader that wants one wants it until it is elected anew';

/** Real brokers of a release, 0.10.2.2 to 3.9.1, with a ZooKeeper. Throws if this machine cannot run them. */
export async function zkBrokers(text: string, env: NodeJS.ProcessEnv): Promise<System> {
  const { version, properties, settings, format, isr, beginsAnew, consumersReadFollowers } = parseZkRelease(text);
  // A leader that cannot be told to let its wish be has it for good.
  const shrinks = isr !== 'askedAgain';
  const build = { family: 'brokers', shape: null, version, properties, compiles: false };
  return startBrokers(build, env, async ({ java, classPath, folder }) => {
    const javaArgs = [...JVM, `-Dlog4j.configuration=file:${LOG4J}`, '-cp', classPath];
    return {
      kind: {
        name: `kafka@${text}`,
        javaArgs: () => [...javaArgs, 'kafka.Kafka'],
        settings: { ...SETTINGS, ...(shrinks ? {} : { 'replica.lag.time.max.ms': NEVER_MS }), ...settings },
        lagMs: shrinks ? LAG_MS : null,
        unsupported: shrinks ? {} : { ShrinkIsr: ONCE_AND_FOR_ALL },
        beginsAnew,
      },
      java,
      folder,
      controller: new ZkController({ java, javaArgs, folder: join(folder, 'zookeeper'), isr }),
      client: new ZkClient(format, { consumersReadFollowers, goesOnLater: isr === 'asked' }),
      dialect: zkDialect,
    };
  });
}
