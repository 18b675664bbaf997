import type { Broker } from './broker.ts';
import { readDisk } from './disk.ts';

/** What Kafka's replication says of one partition in a broker's log: of what is in memory, and on no wire and in no file. */
export interface Said {
  /** How many entries the epoch cache has; null while it has not been changed. Its file may be written a moment later. */
  readonly epochEntries: number | null;
  /** Changes of the ISR that the leader has asked for and that have not been answered. */
  readonly openIsrChanges: number;
  /** Of a leader; empty of any other. */
  readonly isr: readonly number[];
  readonly epochStart: number;
  /** By follower, as far as it has fetched from this leader. */
  readonly remoteLeo: ReadonlyMap<number, number>;
  /** `failed`: it has been fenced, and waits for news. */
  readonly fetchState: 'idle' | 'fetching' | 'failed';
  /** It has heard of another leader, and has not got to its fetcher yet. */
  readonly isTurning: boolean;
}

const NOTHING: Said = {
  epochEntries: null,
  openIsrChanges: 0,
  isr: [],
  epochStart: -1,
  remoteLeo: new Map(),
  fetchState: 'idle',
  isTurning: false,
};
const NO_LEADER = { isr: [], epochStart: -1, remoteLeo: new Map<number, number>() };

interface Line {
  readonly pattern: RegExp;
  /** The groups of the pattern come after the broker's own number. */
  readonly means: (said: Said, broker: number, ...groups: string[]) => Partial<Said>;
}

/** Each line ends a piece of work, or stands between its beginning and its reply. Source: Partition.scala, LeaderEpochFileCache. */
const LINES: readonly Line[] = [
  {
    pattern: / starts at leader epoch \d+ from offset (\d+) with .* ISR \[([\d,]*)\].* Previous leader (\S+) and /,
    means: (said, broker, start = '', isr = '', previous) => ({
      ...NO_LEADER,
      isTurning: false,
      // Who has led already keeps what it knows of its followers.
      remoteLeo: previous === `Some(${broker})` && said.epochStart !== -1 ? said.remoteLeo : NO_LEADER.remoteLeo,
      epochStart: Number(start),
      isr: numbers(isr),
    }),
  },
  { pattern: /Follower \S+ starts at leader epoch /, means: () => ({ ...NO_LEADER, isTurning: true }) },
  {
    pattern: /Recorded replica (\d+) log end offset \(LEO\) position (\d+) /,
    means: (said, _, follower, offset) => ({
      remoteLeo: new Map(said.remoteLeo).set(Number(follower), Number(offset)),
    }),
  },
  { pattern: /Submitting ISR state change /, means: (said) => ({ openIsrChanges: said.openIsrChanges + 1 }) },
  {
    pattern: /ISR updated to ([\d,]*) /,
    means: (said, _, isr = '') => ({ openIsrChanges: said.openIsrChanges - 1, isr: numbers(isr) }),
  },
  {
    pattern: /Failed to alter partition to |Ignoring failed ISR update |Ignoring new ISR /,
    means: (said) => ({ openIsrChanges: said.openIsrChanges - 1 }),
  },
  { pattern: / has an older epoch \(\d+\) than the current leader/, means: () => ({ fetchState: 'failed' }) },
  { pattern: /Added fetcher to broker /, means: () => ({ fetchState: 'fetching', isTurning: false }) },
  { pattern: /Removed fetcher for partitions /, means: () => ({ fetchState: 'idle' }) },
  {
    pattern: /(?:Cache now contains|leaving) (\d+) entries/,
    means: (_said, _broker, entries) => ({ epochEntries: Number(entries) }),
  },
];

/** Which loggers must say more than they usually do. */
export const DEBUG_LOGGERS = [
  'kafka.cluster.Partition',
  'org.apache.kafka.storage.internals.epoch.LeaderEpochFileCache',
];

/** What has been said in these lines about `partition`, such as `t1-0`, after what was said before. */
export function listen(before: Said, lines: readonly string[], broker: number, partition: string): Said {
  const about = new RegExp(`[^\\w.-]${partition}(?![\\w-])`);
  let said = before;
  for (const line of lines) if (about.test(line)) said = { ...said, ...meaning(line, said, broker) };
  return said;
}

function meaning(line: string, said: Said, broker: number): Partial<Said> {
  for (const { pattern, means } of LINES) {
    const match = pattern.exec(line);
    if (match !== null) return means(said, broker, ...match.slice(1));
  }
  return {};
}

/** Follows the logs of brokers that are up. */
export class BrokerLogs {
  readonly #heard = new WeakMap<Broker, { readonly partition: string; readonly length: number; readonly said: Said }>();

  /** What a broker has said until now in its present life. */
  async said(broker: Broker, partition: string): Promise<Said> {
    const before = this.#heard.get(broker);
    const known = before?.partition === partition ? before : { partition, length: 0, said: NOTHING };
    const output = await broker.process.output(known.length);
    const whole = output.slice(0, output.lastIndexOf('\n') + 1);
    const said = listen(known.said, whole.split('\n'), broker.number, partition);
    this.#heard.set(broker, { partition, length: known.length + Buffer.byteLength(whole), said });
    return said;
  }

  /** Waits until the epoch cache is in its file, and no change of the ISR is on its way to the controller and back. */
  async settled(broker: Broker, partition: string): Promise<void> {
    await broker.process.until('settles', async () => {
      const { epochEntries, openIsrChanges } = await this.said(broker, partition);
      const { epochCache } = await readDisk(broker.logFolder, partition);
      return openIsrChanges === 0 && (epochEntries ?? epochCache.length) === epochCache.length ? true : null;
    });
  }
}

function numbers(list: string): number[] {
  return list
    .split(',')
    .filter((number) => number !== '')
    .map(Number)
    .sort((a, b) => a - b);
}
