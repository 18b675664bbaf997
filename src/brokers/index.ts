/** Real brokers as a system to replay on. */
export { BrokerError, type BrokerProblem } from './error.ts';
export { zkReleases } from './releases.ts';
export { zkBrokers } from './zkBrokers.ts';
