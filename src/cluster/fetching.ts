/** A follower's fetcher: it asks its leader what the protocol wants asked, one question at a time, over one connection. */
import type { FetchRequest, OffsetsForLeaderEpochRequest, Profile, ReplicaId } from '../replica/index.ts';
import { type ApiName, decodeResponse, encodeRequest, type ResponseOf, WireError } from '../wire/index.ts';
import type { Host, Link, Timing } from './host.ts';
import type { Member } from './member.ts';
import {
  epochBody,
  epochVersion,
  fetchBody,
  fetchVersion,
  type Place,
  readEpochAnswer,
  readFetchAnswer,
} from './translate.ts';

type Question = FetchRequest | OffsetsForLeaderEpochRequest;

const LATEST = -1n;

export interface FetcherOptions {
  readonly member: Member;
  readonly host: Host;
  readonly profile: Profile;
  readonly place: Place;
  readonly timing: Timing;
  /** Else only when it is told to. */
  readonly asksByItself: boolean;
  identify(batch: Uint8Array): readonly number[];
  /** A step was taken, or lost: whoever waits for the state to change looks again. */
  changed(): void;
}

export class Fetcher {
  readonly #options: FetcherOptions;
  #link: Link | null = null;
  #peer: ReplicaId | null = null;
  #question: Question | null = null;
  #answered: ((frame: Uint8Array) => void) | null = null;
  #correlationId = 0;
  #cancelTimer: () => void = () => {};
  #resting = false;

  constructor(options: FetcherOptions) {
    this.#options = options;
  }

  /** Asks the next question, if there is one and none is under way. To be called after anything that may change that. */
  wake(): void {
    const { asksByItself, member } = this.#options;
    if (this.#question !== null && !member.isAsking(this.#question)) this.#disconnect();
    if (asksByItself && !this.#resting) this.ask();
  }

  /** Asks now, also after an error. Who asks only when told to does it on a connection of its own, so that none is half closed. */
  ask(): void {
    if (!this.#options.asksByItself && this.#question === null) this.#disconnect();
    this.#askLeader();
  }

  /** Nothing is asked before there is somebody to ask. */
  #askLeader(): void {
    const { member } = this.#options;
    const { leader, role } = member.replica.memory;
    if (this.#question !== null || role !== 'follower') return;
    const link = this.#connect(leader);
    if (link === null) this.#rest();
    if (link === null || link.isOpen === false) return;
    const question = member.ask();
    if (question === null) return;
    this.#question = question;
    this.#send(question);
  }

  stop(): void {
    this.#cancelTimer();
    this.#disconnect();
  }

  #send(question: Question): void {
    const { place, profile, timing } = this.#options;
    if (question.type === 'FetchRequest') {
      const version = fetchVersion(profile);
      const body = fetchBody(question, place, version, timing.fetchWaitMs);
      this.#request('Fetch', version, body, (response) => this.#fetched(question, response));
    } else {
      this.#request('OffsetForLeaderEpoch', epochVersion(profile), epochBody(question, place), (response) => {
        const partition = response.topics[0]?.partitions[0];
        if (partition === undefined) throw new WireError('The answer has no partition');
        this.#done(() => this.#options.member.receive(readEpochAnswer(question, partition), []), partition.errorCode);
      });
    }
  }

  #fetched(question: FetchRequest, response: ResponseOf<'Fetch'>): void {
    const { identify, member, profile } = this.#options;
    const partition = response.topics[0]?.partitions[0];
    if (partition === undefined) throw new WireError('The answer has no partition');
    const { answer, batches } = readFetchAnswer(question, partition, identify);
    if (answer.error !== 'OFFSET_OUT_OF_RANGE' || profile.outOfRange === 'halt') {
      this.#done(() => member.receive(answer, batches), partition.errorCode);
      return;
    }
    // The leader's end is asked for before anything is cut.
    const { place } = this.#options;
    const partitions = [{ index: 0, currentLeaderEpoch: question.leaderEpoch, timestamp: LATEST }];
    const body = { replicaId: place.replicaId, isolationLevel: 0, topics: [{ name: place.topic, partitions }] };
    this.#request('ListOffsets', 4, body, ({ topics }) => {
      const found = topics[0]?.partitions[0];
      if (found === undefined || found.errorCode !== 0 || found.offset < 0n) this.#lost();
      else this.#done(() => member.receive({ ...answer, endOffset: Number(found.offset) }, []), partition.errorCode);
    });
  }

  #request<N extends ApiName>(
    api: N,
    version: number,
    body: Parameters<typeof encodeRequest<N>>[0]['body'],
    answered: (response: ResponseOf<N>) => void,
  ): void {
    const { host, place, timing } = this.#options;
    const request = { api, version, correlationId: ++this.#correlationId, clientId: clientIdOf(place.replicaId), body };
    this.#answered = (frame) => answered(decodeResponse(request, frame));
    this.#link?.send(encodeRequest(request));
    this.#cancelTimer();
    this.#cancelTimer = host.after(timing.requestMs, () => this.#lost());
  }

  #connect(peer: ReplicaId): Link | null {
    if (this.#link !== null && this.#peer === peer) return this.#link;
    this.#disconnect();
    const link = this.#options.host.connect(peer, {
      frame: (frame) => {
        if (this.#link === link) this.#arrived(frame);
        link?.ready?.();
      },
      closed: () => {
        if (this.#link === link) this.#lost();
      },
      opened: () => {
        if (this.#link === link) this.#askLeader();
      },
    });
    this.#link = link;
    this.#peer = peer;
    return link;
  }

  #arrived(frame: Uint8Array): void {
    const answered = this.#answered;
    this.#answered = null;
    // What is no longer waited for is no answer to what was asked since.
    if (this.#question !== null && !this.#options.member.isAsking(this.#question)) {
      this.wake();
      return;
    }
    try {
      if (answered === null) throw new WireError('Nothing was asked');
      answered(frame);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      this.#lost();
    }
  }

  /** The question is answered. With an error, the next one is not asked at once. */
  #done(receive: () => void, errorCode: number): void {
    this.#cancelTimer();
    this.#question = null;
    receive();
    if (errorCode !== 0) this.#rest();
    this.#options.changed();
    this.wake();
  }

  #lost(): void {
    const { changed, member } = this.#options;
    const wasAsking = this.#question !== null && member.isAsking(this.#question);
    this.#disconnect();
    if (wasAsking) member.lose();
    this.#rest();
    changed();
  }

  #disconnect(): void {
    this.#cancelTimer();
    const link = this.#link;
    this.#link = null;
    this.#peer = null;
    this.#question = null;
    this.#answered = null;
    link?.close();
  }

  #rest(): void {
    const { host, timing } = this.#options;
    this.#resting = true;
    this.#cancelTimer = host.after(timing.backoffMs, () => {
      this.#resting = false;
      this.wake();
    });
  }
}

/** As Kafka's fetchers call themselves. Before OffsetForLeaderEpoch 3 nothing else says who asks. */
function clientIdOf(replicaId: number): string {
  return `broker-${replicaId}-fetcher-0`;
}

export function replicaIdOf(clientId: string | null): number | null {
  const found = /^broker-(\d+)-fetcher-\d+$/.exec(clientId ?? '')?.[1];
  return found === undefined ? null : Number(found);
}
