import type { Election, Topic } from './controller.ts';
import type { JavaProcess } from './process.ts';
import type { StoredRecord } from './wire/records.ts';

/** A broker that is up. */
export interface Broker {
  readonly number: number;
  /** For people: `A`. */
  readonly name: string;
  /** Of 127.0.0.1; the same for all its lives. */
  readonly port: number;
  /** Its `log.dirs`. */
  readonly logFolder: string;
  readonly process: JavaProcess;
}

/** What a replica says of itself over the wire, to a client and to a debugging tool (replica id -2, which reads followers too). */
export interface Probe {
  /** `starting`: it does not know the partition yet. */
  readonly role: 'starting' | 'follower' | 'leader';
  /** Null while it is starting. */
  readonly hw: number | null;
  /** The ids that a consumer reads from it; null where it leads not. */
  readonly read: readonly number[] | null;
  /** What else these brokers show, of one that has heard who leads. */
  readonly shown?: Shown;
}

/** By the names of the specification's variables; brokers by their numbers. */
export interface Shown {
  readonly leader: number;
  readonly leaderEpoch: number;
  readonly isr: readonly number[];
  readonly epochStart: number;
  /** Of those that have fetched. */
  readonly remoteLeo: ReadonlyMap<number, number>;
  /** `failed`: the fetcher was fenced, and waits for the next news. */
  readonly fetchState: 'idle' | 'fetching' | 'failed';
}

/** A release's own way to ask. Every request goes to the broker itself, past the gate. */
export interface Client {
  probe(broker: Broker, topic: Topic): Promise<Probe>;
  /** Resolves to `none` or Kafka's error when the broker answers; rejects if the connection breaks before. */
  produce(broker: Broker, topic: Topic, record: StoredRecord, acks: '1' | 'all'): Promise<string>;
  /** Hands a follower's request to the broker once more; the reply is of no interest. */
  repeat(broker: Broker, request: Buffer): Promise<void>;
  /** Whether its fetcher has been fenced, and asks nothing until it hears of the next election. */
  gaveUp?(broker: Broker, topic: Topic): Promise<boolean>;
  close(): Promise<void>;
}

/** A release's brokers: what `brokerSystem` needs to run them. */
export interface BrokerKind {
  /** `kafka@1.1.1` */
  readonly name: string;
  /** Of the JVM, up to the main class; the broker's properties file follows. */
  readonly javaArgs: (broker: number) => readonly string[];
  /** In addition to what every broker is told. */
  readonly settings: Readonly<Record<string, string>>;
  /** replica.lag.time.max.ms; null: longer than any run. */
  readonly lagMs: number | null;
  /** Actions of the specification that these brokers cannot be brought to take when we want it, and why. */
  readonly unsupported: Readonly<Record<string, string>>;
  /** What `Probe.shown` has, beyond what the brokers of all releases show. */
  readonly alsoObservable?: readonly string[];
  /** Its log folder before its first life. */
  readonly prepare?: (broker: { readonly number: number; readonly logFolder: string }) => Promise<void>;
  /** Why nobody can talk to a broker that has not heard who leads; undefined where one can. */
  readonly deafWhileStarting?: string;
  /**
   * Whether news makes a follower's fetcher begin anew: then its old connection is broken with it, for a reply that comes
   * late is not modelled. What the fetcher really does is seen in what it asks next.
   */
  readonly beginsAnew: (heard: Election | null, news: Election) => boolean;
}
