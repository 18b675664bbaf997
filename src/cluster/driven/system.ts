/**
 * The brokers of `src/cluster` as a system to replay on: a process each, real sockets between them, real files. Of their own
 * accord they do nothing but answer; what is asked, heard, flushed or lost is for the steps to say, and each message waits at
 * a gate until it is handled. What is seen of the network is what was on the wire.
 */
import { OBSERVABLE } from '../../systems/memory.ts';
import type { System } from '../../systems/system.ts';
import { workFolder } from '../../systems/workFolder.ts';
import { DrivenCluster } from './cluster.ts';

export async function tcpSystem(): Promise<System> {
  const folder = await workFolder();
  let cluster: DrivenCluster | null = null;
  const running = (): DrivenCluster => {
    if (cluster === null) throw new TypeError('reset comes first');
    return cluster;
  };
  const end = async () => {
    await cluster?.close();
    cluster = null;
  };
  return {
    name: 'tcp',
    observable: OBSERVABLE,
    reset: async (config) => {
      await end();
      cluster = new DrivenCluster(config, folder.path);
      await cluster.begin();
    },
    step: (step) => running().step(step),
    observe: () => running().observe(),
    close: async () => {
      await end();
      await folder.remove();
    },
  };
}
