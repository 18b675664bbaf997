import { eventLine, headerLine, simulate } from '../../src/cluster/index.ts';

export const HEADER = {
  log: 'leader-epoch',
  version: 1,
  config: { replicas: ['A', 'B'], firstLeader: 'A', profileOf: { A: 'Kip320', B: 'Kip320' } },
};

/** A log of these events, after a line for the cluster. */
export function logOf(...events: readonly object[]): string {
  return [HEADER, ...events].map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** What the brokers and the controller of a simulated run log. */
export function simulatedLog(seed: number, steps: number): string[] {
  const events: string[] = [];
  const { config } = simulate({
    ...{ seed, steps, profile: 'Kip320', replicas: ['A', 'B', 'C'], minIsr: 1, powerLoss: seed % 2 === 0 },
    properties: [],
    onLogged: (logged) => events.push(eventLine(logged)),
  });
  return [headerLine(config), ...events];
}
