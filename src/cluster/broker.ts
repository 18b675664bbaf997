/**
 * A broker with one partition: it takes Kafka's requests, of clients and of followers, and fetches as a follower itself. It
 * waits for nothing by itself: everything that happens is a call, so that it runs on sockets and in a simulation.
 */
import type { LeaderAndIsr, ReplicaId, Step, StepResult } from '../replica/index.ts';
import {
  type AnyRequest,
  answerUnsupported,
  apiVersions,
  decodeRequest,
  encodeResponse,
  errors,
  WireError,
} from '../wire/index.ts';
import { Fetches } from './fetches.ts';
import { Fetcher } from './fetching.ts';
import type { Link, LinkEvents } from './host.ts';
import { type IsrChange, IsrChanges } from './isrChanges.ts';
import { epochEnds, listOffsets, metadata } from './lookups.ts';
import { type BrokerOptions, followerOf } from './options.ts';
import { Producers } from './producers.ts';
import { Turns } from './turns.ts';
import { WaitingRoom } from './waitingRoom.ts';

type Answer = (frame: Uint8Array | null) => void;

export class Broker {
  readonly #options: BrokerOptions;
  readonly #fetcher: Fetcher;
  readonly #fetches: Fetches;
  readonly #producers: Producers;
  readonly #room: WaitingRoom;
  readonly #links = new Set<Link>();
  readonly #linkOf = new Map<ReplicaId, Link>();
  readonly #isr: IsrChanges;
  #stopped = false;

  constructor(options: BrokerOptions) {
    const { config, host, member, nodeIdOf, timing, topic } = options;
    this.#options = options;
    this.#producers = new Producers(options);
    this.#room = new WaitingRoom(host.after);
    this.#isr = new IsrChanges(
      options,
      () => this.#stopped,
      () => this.#changed(),
    );
    this.#fetches = new Fetches({
      ...{ broker: options, room: this.#room },
      whenFree: (link, call) => this.#whenFree(() => this.#links.has(link) && call()),
      answering: (follower, isCounted, then) => this.#answering(follower, isCounted, then),
    });
    this.#fetcher = new Fetcher({
      ...{ host, member, timing },
      profile: config.profileOf[member.id]!,
      place: { topic, replicaId: nodeIdOf(member.id) },
      asksByItself: !options.isDriven,
      identify: options.identify,
      changed: () => this.#changed(),
    });
    if (options.isDriven) return;
    this.#every(timing.checkpointMs, () => member.tryStep({ action: 'CheckpointHighWatermark', args: [member.id] }));
    this.#every(timing.flushMs, () => {
      member.tryStep({ action: 'Flush', args: [member.id] });
      member.tryStep({ action: 'FlushEpochFile', args: [member.id] });
    });
    this.#every(timing.lagMs / 2, () => this.#isr.shrink(timing.lagMs / 2, () => this.#changed()));
  }

  hear(news: LeaderAndIsr): void {
    this.#whenFree(() => {
      this.#options.member.hear(news);
      this.#changed();
    });
  }

  /** For a follower that was told who leads as it started, and for one that is driven: it asks its next question. */
  wake(): void {
    this.#fetcher.ask();
  }

  /** A step that this broker alone takes, as a timer or the controller's answer would have it. Why not, or null. */
  take(step: Step): string | null {
    const refusal = this.#options.member.tryStep(step);
    if (refusal === null) this.#changed();
    return refusal;
  }

  /** A change of the ISR, if the controller agrees. `then`: why not, or null. */
  changeIsr(action: IsrChange, follower: ReplicaId, then: (refusal: string | null) => void): void {
    const { member } = this.#options;
    const refusal = member.whyNot({ action, args: [member.id, follower] });
    if (refusal !== null) then(refusal);
    else this.#isr.propose(action, follower, (accepted) => then(accepted ? null : 'the controller refuses'));
  }

  /** What a step told producers. */
  told(result: StepResult): void {
    this.#producers.told(result);
  }

  /** The process ends; nobody is told. */
  stop(): void {
    this.#stopped = true;
    this.#fetcher.stop();
    this.#room.close();
    for (const link of this.#links) link.close();
  }

  /** Someone has connected. */
  accept(link: Link): LinkEvents {
    let follower: ReplicaId | null = null;
    this.#links.add(link);
    const serve = (frame: Uint8Array, done: () => void): void => {
      const answered: Answer = (answer) => {
        if (answer !== null && this.#links.has(link)) link.send(answer);
        done();
      };
      this.#whenFree(() => {
        if (!this.#links.has(link)) return;
        const request = requestIn(frame);
        if (typeof request === 'string') {
          this.#showOut(link, request);
        } else if (request.api === null) {
          answered(request.answer);
        } else {
          follower = followerOf(this.#options, request) ?? follower;
          if (follower !== null) this.#linkOf.set(follower, link);
          this.#serve(request, link, answered);
        }
      });
    };
    const turns = new Turns(serve, () => link.ready?.());
    return {
      frame: (frame) => turns.add(frame),
      closed: () => {
        this.#forget(link);
        // It may have come back by another connection already.
        if (follower === null || this.#linkOf.get(follower) !== link) return;
        this.#linkOf.delete(follower);
        this.#options.member.forget(follower);
      },
    };
  }

  #showOut(link: Link, why: string): void {
    this.#forget(link);
    link.close(why);
  }

  #forget(link: Link): void {
    this.#links.delete(link);
    this.#room.forget(link);
  }

  #serve(request: AnyRequest, link: Link, answer: Answer): void {
    const options = this.#options;
    switch (request.api) {
      case 'ApiVersions':
        answer(encodeResponse(request, apiVersions(errors.NONE)));
        break;
      case 'Metadata':
        answer(encodeResponse(request, metadata(options, request)));
        break;
      case 'Produce':
        this.#producers.produce(request.body, {
          answer: (body) => answer(body && encodeResponse(request, body)),
          close: (why) => this.#showOut(link, why),
        });
        this.#changed();
        break;
      case 'ListOffsets':
        answer(encodeResponse(request, listOffsets(options, request)));
        break;
      case 'OffsetForLeaderEpoch':
        answer(encodeResponse(request, epochEnds(options, request.body, followerOf(options, request))));
        break;
      case 'Fetch':
        this.#fetches.fetch(request.body, followerOf(options, request), link, (body) =>
          answer(encodeResponse(request, body)),
        );
    }
  }

  /** A follower that has caught up joins the ISR before it is answered: the protocol looks at the fetch, not at the reply. */
  #answering(follower: ReplicaId, isCounted: boolean, then: () => void): void {
    if (isCounted) this.#isr.fetched(follower);
    const done = (): void => {
      then();
      this.#changed();
    };
    if (this.#isr.mayJoin(follower) && !this.#options.isDriven) this.#isr.propose('ExpandIsr', follower, done);
    else done();
  }

  #changed(): void {
    this.#room.look(() => this.#isr.isFree);
    if (!this.#stopped) this.#fetcher.wake();
  }

  #whenFree(call: () => void): void {
    if (!this.#stopped) this.#isr.whenFree(call);
  }

  #every(ms: number, call: () => void): void {
    this.#options.host.after(ms, () => {
      if (this.#stopped) return;
      this.#whenFree(() => {
        if (this.#options.member.isRunning) call();
      });
      this.#every(ms, call);
    });
  }
}

/** A request, or the answer to one of a kind that there is not; a sentence if there is nothing to do but to close the connection. */
function requestIn(frame: Uint8Array): AnyRequest | { readonly api: null; readonly answer: Uint8Array } | string {
  try {
    const request = decodeRequest(frame);
    if (request.api !== null) return asksTwice(request) ? 'it names a partition twice' : request;
    const answer = answerUnsupported(request);
    return answer === null
      ? `there is no version ${request.version} of API ${request.key} here`
      : { api: null, answer };
  } catch (error) {
    if (error instanceof WireError) return `this is no request: ${error.message}`;
    throw error;
  }
}

interface Asking {
  readonly topics?:
    | readonly { readonly name: string; readonly partitions?: readonly { readonly index: number }[] }[]
    | null;
}

/** Each partition may be named once: else a small request would have a huge answer. */
function asksTwice({ body }: AnyRequest): boolean {
  const { topics } = body as Asking;
  const named = (topics ?? []).flatMap(({ name, partitions }) =>
    (partitions ?? []).map(({ index }) => `${index} ${name}`),
  );
  return new Set(named).size < named.length;
}
