/**
 * Brokers of one partition that speak Kafka's protocol, their controller, and a simulation of all that may happen to them. The
 * protocol itself is that of src/replica.
 */

export { ClusterFolderError } from './controllerFile.ts';
export { BrokerStartError, type ClusterOptions, type RunningCluster, startCluster } from './onProcesses.ts';
export { SimulationError } from './referee.ts';
export { eventLine, headerLine, type Logged } from './runLog.ts';
export { type Finding, type Found, type Sought, seek, seeking } from './seek.ts';
export { type Simulated, type SimulationOptions, simulate } from './simulation.ts';
export { whyNotCarried } from './translate.ts';
