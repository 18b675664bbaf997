import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { System } from '../../systems/system.ts';
import { BrokerLogs } from '../brokerLog.ts';
import type { BrokerSetOptions } from '../brokerSet.ts';
import { type Place, startBrokers } from '../startBrokers.ts';
import { kraftDialect } from './dialect.ts';
import { kraftKind, loggingConfiguration, MESSAGES } from './kraftBroker.ts';
import { KraftClient } from './kraftClient.ts';
import { KraftController } from './kraftController.ts';
import { readSchemas } from './schemas.ts';

/** Releases whose brokers know no controller but a KRaft quorum. */
export const kraftReleases: readonly string[] = ['4.4.0'];

/** Real brokers with a puppet for their controller. Throws if this machine cannot run them. */
export function kraftBrokers(version: string, env: NodeJS.ProcessEnv): Promise<System> {
  // The jars are those that its classes are driven with.
  return startBrokers({ family: 'new', shape: null, version }, env, (place) => kraftSet(`kafka@${version}`, place));
}

export async function kraftSet(name: string, { java, classPath, folder }: Place): Promise<BrokerSetOptions> {
  const schemas = await readSchemas(classPath, MESSAGES);
  const loggingFile = join(folder, 'log4j2.xml');
  await writeFile(loggingFile, loggingConfiguration());
  const logs = new BrokerLogs();
  const client = new KraftClient(schemas, logs);
  return {
    kind: kraftKind(name, classPath, loggingFile),
    java,
    folder,
    controller: new KraftController(schemas, logs, (...news) => client.hasHeard(...news)),
    client,
    dialect: kraftDialect(schemas),
  };
}
