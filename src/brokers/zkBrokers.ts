import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { System } from '../systems/system.ts';
import { parseZkRelease } from './releases.ts';
import { SETTINGS } from './settings.ts';
import { JVM, startBrokers } from './startBrokers.ts';
import { ZkClient } from './zkClient.ts';
import { ZkController } from './zkController.ts';
import { zkDialect } from './zkDialect.ts';

const LOG4J = fileURLToPath(new URL('../../kafka/brokers/resources/log4j.properties', import.meta.url));

/** Real brokers of a release, 0.10.2.2 to 3.9.1, with a ZooKeeper. Throws if this machine cannot run them. */
export async function zkBrokers(text: string, env: NodeJS.ProcessEnv): Promise<System> {
  const { version, properties, settings, format, isAsked, beginsAnew, consumersReadFollowers, epochFileLags } =
    parseZkRelease(text);
  const build = { family: 'brokers', shape: null, version, properties, compiles: false };
  return startBrokers(build, env, async ({ java, classPath, folder }) => {
    const javaArgs = [...JVM, `-Dlog4j.configuration=file:${LOG4J}`, '-cp', classPath];
    return {
      kind: {
        name: `kafka@${text}`,
        javaArgs: () => [...javaArgs, 'kafka.Kafka'],
        settings: { ...SETTINGS, ...settings },
        unsupported: {
          CheckpointHighWatermark: 'brokers write their high watermark to disk by a timer of their own',
          ShrinkIsr: 'a leader takes a follower out of the ISR by a timer of its own',
        },
        beginsAnew,
        epochFileLags,
      },
      java,
      folder,
      controller: new ZkController({ java, javaArgs, folder: join(folder, 'zookeeper'), isAsked }),
      client: new ZkClient(format, consumersReadFollowers),
      dialect: zkDialect,
    };
  });
}
