/** A trace that cannot be replayed at all: not of this protocol, or without what a replay needs. A message for people. */
export class ReplayProblem extends Error {
  override readonly name = 'ReplayProblem';
}
