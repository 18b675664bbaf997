/** Real brokers as a system to replay on. */
import type { System } from '../systems/system.ts';
import { BrokerError } from './error.ts';
import { kraftBrokers, kraftReleases } from './kraft/index.ts';
import { zkReleases } from './releases.ts';
import { zkBrokers } from './zkBrokers.ts';

export { BrokerError, type BrokerProblem } from './error.ts';

/** Releases of Kafka whose brokers can be run. */
export const brokerReleases: readonly string[] = [...zkReleases, ...kraftReleases];

/** `2.0.1`, `1.1.1+0.10.2`, or `4.4.0`. Throws if this machine cannot run them. */
export async function brokers(release: string, env: NodeJS.ProcessEnv): Promise<System> {
  if (kraftReleases.includes(release)) return kraftBrokers(release, env);
  const [version = '', protocol] = release.split('+');
  if (kraftReleases.includes(version)) {
    throw new BrokerError(
      'unknownRelease',
      `"${protocol}" is no inter-broker protocol. Kafka ${version} has none to choose.`,
    );
  }
  if (!brokerReleases.includes(version)) {
    throw new BrokerError(
      'unknownRelease',
      `There are no brokers of "${release}" here. There are those of ${brokerReleases.join(', ')}.`,
    );
  }
  return zkBrokers(release, env);
}
