export type BrokerProblem =
  | 'unknownRelease'
  | 'noJava'
  | 'notStarted'
  | 'died'
  | 'timeout'
  | 'noPort'
  | 'protocol'
  | 'closed';

/** What is wrong with this machine, this request or a broker, with the broker's own words where it has said something. */
export class BrokerError extends Error {
  override readonly name = 'BrokerError';
  constructor(
    readonly problem: BrokerProblem,
    message: string,
  ) {
    super(message);
  }
}
