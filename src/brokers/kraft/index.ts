import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrokerSetOptions } from '../brokerSet.ts';
import { BrokerLogs } from './brokerLog.ts';
import { kraftDialect } from './dialect.ts';
import { kraftKind, loggingConfiguration, MESSAGES } from './kraftBroker.ts';
import { KraftClient } from './kraftClient.ts';
import { KraftController } from './kraftController.ts';
import { readSchemas } from './schemas.ts';

/** Brokers of 4.x with a puppet for their KRaft controller. `folder`: of this run; `classPath`: with kafka.Kafka. */
export async function kraftBrokers(
  name: string,
  { java, classPath, folder }: { readonly java: string; readonly classPath: string; readonly folder: string },
): Promise<BrokerSetOptions> {
  const schemas = await readSchemas(classPath, MESSAGES);
  const loggingFile = join(folder, 'log4j2.xml');
  await writeFile(loggingFile, loggingConfiguration());
  const logs = new BrokerLogs();
  return {
    kind: kraftKind(name, classPath, loggingFile),
    java,
    folder,
    controller: new KraftController(schemas, logs),
    client: new KraftClient(schemas, logs),
    dialect: kraftDialect(schemas),
  };
}
