import { setTimeout as delay } from 'node:timers/promises';
import type { Broker } from './broker.ts';
import type { BrokerSet } from './brokerSet.ts';
import type { Election, IsrChange } from './controller.ts';
import type { Member } from './member.ts';
import { Refused } from './refused.ts';
import { LAG_MS } from './settings.ts';
import { FETCH } from './wire/replication.ts';

type Leader = Member & { broker: Broker };

/** Clocks of two processes, and what lies between a fetch that a leader handles and its reply here. */
const MARGIN_MS = 50;

/** Who is in sync. A leader judges by the time that has passed since a follower last had everything, and so this part has to do with time. */
export class InSync {
  readonly #set: BrokerSet;

  constructor(set: BrokerSet) {
    this.#set = set;
  }

  /**
   * A leader looks for silent followers by a timer of its own, and is refused at any other time. It takes all out at once, so
   * the others must not be silent. @returns the ISR afterwards
   */
  async shrink(leader: Leader, follower: Member, newest: Election): Promise<readonly number[]> {
    await this.untilLagIsOver(leader, follower);
    const isr = leader.isr.filter((number) => number !== follower.number);
    const others = this.#set.members.filter((one) => one !== leader && isr.includes(one.number));
    const requests = others.map((other) => {
      const request = this.#caughtUp(leader, other);
      if (request !== null) return request;
      const reason = `${other.name} has not fetched all from ${leader.name} either, which takes both out at once`;
      throw new Refused(reason, { never: true });
    });
    let isOver = false;
    const awake = (async () => {
      for (; !isOver; await delay(LAG_MS / 8)) {
        for (const request of requests) await this.#set.options.client.repeat(leader.broker, request);
        if (requests.length === 0) return;
      }
    })();
    const change = { leader, newest, isr, byTimer: true };
    return this.#change(change, async () => {}).finally(async () => {
      isOver = true;
      await awake;
      for (const other of others) if (other.handled !== null) other.handled.atMs = performance.now();
    });
  }

  /**
   * A leader looks at a follower while it handles its fetch, and had then no right to change the ISR. So the same request
   * is handed to it once more: the same follower, the same offset. @returns the ISR afterwards
   */
  async expand(leader: Leader, follower: Member, newest: Election, request: Buffer): Promise<readonly number[]> {
    const isr = [...leader.isr, follower.number].sort((a, b) => a - b);
    return this.#change({ leader, newest, isr, byTimer: false }, () =>
      this.#set.options.client.repeat(leader.broker, request),
    );
  }

  /**
   * A leader's high watermark waits for followers outside the ISR, too, that had everything within replica.lag.time.max.ms
   * (Partition.maybeIncrementLeaderHW). In the specification that time is always over: until then, steps that may raise it wait.
   */
  async untilLagIsOver(leader: Member, but: Member | null): Promise<void> {
    const { lagMs } = this.#set.options.kind;
    if (lagMs === null) return;
    const outside = this.#set.members.filter((one) => one !== but && !leader.isr.includes(one.number));
    const fetched = outside.map(({ handled }) => (handled?.leader === leader.number ? handled.atMs : 0));
    const waitMs = Math.max(...fetched, 0) + lagMs + MARGIN_MS - performance.now();
    if (waitMs > 0 && fetched.some((atMs) => atMs > 0)) await delay(waitMs);
  }

  #change(
    { leader, newest, isr, byTimer }: { leader: Leader; newest: Election; isr: readonly number[]; byTimer: boolean },
    attempt: () => Promise<void>,
  ): Promise<readonly number[]> {
    const change: IsrChange = { topic: this.#set.topic, election: newest, leader: leader.broker, isr, byTimer };
    return this.#set.options.controller.changeIsr(change, attempt);
  }

  /** A request that shows a follower to have everything, and tells its leader nothing that is new; null: there is none. */
  #caughtUp(leader: Leader, follower: Member): Buffer | null {
    const { kind, dialect } = this.#set.options;
    const sight = this.#set.sights.get(leader);
    const logEnd = sight?.disk.log.length ?? -1;
    const { handled } = follower;
    if (handled?.leader === leader.number && handled.leaderEpoch === leader.heard?.epoch && handled.offset === logEnd)
      return handled.request;
    // What a leader takes a follower to have moves nothing if all is committed. But where it can be seen, it is seen.
    if (kind.alsoObservable?.includes('remoteLeo') === true || sight?.probe?.hw !== logEnd) return null;
    const parked = this.#set.gateOf(follower)?.parked ?? null;
    if (parked === null || parked.apiKey !== FETCH || follower.heard?.leader !== leader.number) return null;
    return dialect.request(parked, this.#set.topic)?.number === logEnd ? parked.request : null;
  }
}
