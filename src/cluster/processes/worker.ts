/** The program of a broker's process. It lives as long as whoever started it. */
import { writeSync } from 'node:fs';
import {
  damageText,
  epochsOfRelease,
  FileError,
  openStore,
  readRecords,
  realFiles,
  repairText,
  StorageError,
  storeDefaults,
} from '../../disk/index.ts';
import { Broker } from '../broker.ts';
import type { Host } from '../host.ts';
import { listen } from '../listening.ts';
import { Member } from '../member.ts';
import { dial, identifyByContent, portOf } from '../tcp.ts';
import { Complaints } from './complaints.ts';
import type { Birth, Down, Order, Outcome, Peers, Up } from './messages.ts';

type Done = (outcome: Outcome) => void;
const DONE: Outcome = { kind: 'done' };

class Worker {
  #member: Member | null = null;
  #broker: Broker | null = null;
  #peers: Peers = [];
  readonly #proposals = new Map<number, (accepted: boolean) => void>();
  #proposalCount = 0;

  receive(message: Down): void {
    if (message.kind === 'isrAnswer') {
      this.#proposals.get(message.number)?.(message.accepted);
      this.#proposals.delete(message.number);
    } else {
      this.#obey(message.order, (outcome) => tell({ kind: 'outcome', number: message.number, outcome }));
    }
  }

  #obey(order: Order, done: Done): void {
    if (order.kind === 'begin') {
      this.#begin(order.birth, done);
      return;
    }
    const [broker, member] = [this.#broker, this.#member];
    if (broker === null || member === null) throw new TypeError('a process must begin first');
    switch (order.kind) {
      case 'meet':
        this.#peers = order.peers;
        done(DONE);
        break;
      case 'hear': {
        const before = member.replica.memory.leaderEpoch;
        broker.hear(order.news);
        const isNews = member.replica.memory.leaderEpoch > before;
        done(isNews ? DONE : { kind: 'refused', reason: `${member.id} has heard of epoch ${before} already` });
        break;
      }
      case 'take':
        done(outcomeOf(broker.take(order.step)));
        break;
      case 'changeIsr':
        broker.changeIsr(order.action, order.follower, (refusal) => done(outcomeOf(refusal)));
        break;
      case 'answerIsr':
        member.answerIsr(order.answer);
        done(DONE);
        break;
      case 'ask':
        broker.wake();
        done(DONE);
        break;
      case 'observe':
        done({ kind: 'seen', replica: member.replica, isAsking: member.isAskingAnything });
        break;
      case 'shutDown':
        broker.stop();
        member.store.shutDown();
        done(DONE);
        process.disconnect();
    }
  }

  #begin(birth: Birth, done: Done): void {
    const { address, config, folder, id, isDriven, survived, timing, topic } = birth;
    const identify = birth.identify === 'value' ? identifyByValue : identifyByContent;
    const opened = openStore(realFiles({ sync: birth.sync }), {
      ...{ ...storeDefaults, folder, topic, segmentBytes: birth.segmentBytes, identify },
      ...epochsOfRelease(config.profileOf[id]!),
    });
    if (opened.kind === 'damaged') {
      done({ kind: 'refused', reason: damageText(opened.damage) });
      return;
    }
    const { startOffset } = opened.store.log;
    if (startOffset > 0) {
      done({
        kind: 'refused',
        reason: `${folder}: the log begins at offset ${startOffset}, and a broker here needs all of it`,
      });
      return;
    }
    for (const repair of opened.repairs) console.error(repairText(repair));
    const { disk, store } = opened;
    const flushed = Math.max(disk.flushed, Math.min(survived, disk.log.length));
    const member = new Member(
      config,
      id,
      { store, disk: { ...disk, flushed } },
      birth.incarnation,
      (step, result, role) => {
        const atNs = String(process.hrtime.bigint());
        // A broker that halts ends its process.
        tell({ kind: 'step', step, result, role, atNs }, role === 'halted' ? () => process.exit(1) : undefined);
        this.#broker?.told(result);
      },
    );
    const nodeIdOf = (one: string) => config.replicas.indexOf(one) + 1;
    this.#member = member;
    this.#broker = new Broker({ config, member, host: this.#host(), timing, topic, isDriven, nodeIdOf, identify });
    const complaints = new Complaints((what) => tell({ kind: 'shownOut', what }));
    listen({ broker: () => this.#broker, refused: (what) => complaints.add(what) }, address).then(
      (server) => done({ kind: 'listening', port: portOf(server) }),
      (error: NodeJS.ErrnoException) => done({ kind: 'refused', reason: error.message }),
    );
  }

  #host(): Host {
    return {
      after: (ms, call) => {
        const timer = setTimeout(call, ms);
        return () => clearTimeout(timer);
      },
      connect: (peer, events) => {
        const address = this.#peers.find(({ id }) => id === peer);
        return address === undefined ? null : dial(address, events);
      },
      alterIsr: (proposal, accepted) => {
        const number = ++this.#proposalCount;
        this.#proposals.set(number, accepted);
        tell({ kind: 'alterIsr', number, proposal });
      },
      brokers: () => this.#peers,
    };
  }
}

function outcomeOf(refusal: string | null): Outcome {
  return refusal === null ? DONE : { kind: 'refused', reason: refusal };
}

function identifyByValue(batch: Uint8Array): number[] {
  return readRecords(batch).map(({ value }) => Number(Buffer.from(value ?? [])));
}

function tell(message: Up, sent?: () => void): void {
  // Whoever started it may be gone already.
  process.send?.(message, undefined, undefined, (error) => (error === null ? sent?.() : process.exit()));
}

const worker = new Worker();
process.on('message', (message) => worker.receive(message as Down));
// Whoever started it is gone.
process.on('disconnect', () => process.exit());
// Ctrl-C on a terminal reaches everybody; when to end is for the parent to say.
process.on('SIGINT', () => {});
// A disk that is full or broken ends the broker at once, as it ends Kafka's: what is in memory now must not be seen by anybody.
process.on('uncaughtException', (error) => {
  const isOfDisk = error instanceof FileError || error instanceof StorageError;
  writeSync(process.stderr.fd, `${isOfDisk ? error.message : error.stack}\n`);
  process.exit(1);
});
