/** For ever, as far as a run of minutes is concerned. */
export const NEVER_MS = '3600000';

/** How soon a silent follower may leave the ISR: its leader wants it then, over and over, and is refused until it may. */
export const LAG_MS = 400;
/** A leader that has not tried by then to take a silent follower out of the ISR sees none. It looks twice in LAG_MS. */
export const TIMER_MS = 10_000;

/** What every broker is told. No thread of theirs does anything that no step has led to. */
export const SETTINGS: Readonly<Record<string, string>> = {
  // One that takes a request after the other, so that a question is answered after all that was asked before.
  'num.io.threads': '1',
  'num.network.threads': '1',
  'background.threads': '2',
  'num.replica.fetchers': '1',
  // A leader answers a Fetch at once. One that waited would read again, and carry a later high watermark.
  'replica.fetch.wait.max.ms': '0',
  'replica.fetch.backoff.ms': '20',
  // A fetcher waits for as long as its message stands at the gate.
  'replica.socket.timeout.ms': NEVER_MS,
  'request.timeout.ms': NEVER_MS,
  'replica.lag.time.max.ms': `${LAG_MS}`,
  'replica.high.watermark.checkpoint.interval.ms': '20',
  // Every Fetch and its reply hold all that they speak of: no sessions (1.1 and later).
  'max.incremental.fetch.session.cache.slots': '0',
  'connections.max.idle.ms': NEVER_MS,
  'unclean.leader.election.enable': 'false',
  'controlled.shutdown.enable': 'false',
  'auto.leader.rebalance.enable': 'false',
  'auto.create.topics.enable': 'false',
  'log.cleaner.enable': 'false',
  'log.retention.ms': '-1',
  'log.index.size.max.bytes': '4096',
  'offsets.topic.num.partitions': '1',
  'offsets.topic.replication.factor': '1',
};
