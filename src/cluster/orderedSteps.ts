import type { ReplicaId, Step } from '../replica/index.ts';

/** `by`: null for the controller. */
export type OnStep = (by: ReplicaId | null, step: Step) => void;

/** How long a step may be under way from its process to this one while others overtake it. */
const ORDERING_MS = 50;

/** Steps of several processes: one that caused another comes before it. */
export class OrderedSteps {
  readonly #onStep: OnStep | undefined;
  #waiting: { readonly by: ReplicaId | null; readonly step: Step; readonly atNs: bigint }[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(onStep: OnStep | undefined) {
    this.#onStep = onStep;
  }

  add(by: ReplicaId | null, step: Step, atNs = process.hrtime.bigint()): void {
    if (this.#onStep === undefined) return;
    this.#waiting.push({ by, step, atNs });
    this.#flushLater();
  }

  flush(until?: bigint): void {
    const isDue = ({ atNs }: { readonly atNs: bigint }) => until === undefined || atNs <= until;
    const due = this.#waiting.filter(isDue);
    this.#waiting = this.#waiting.filter((one) => !isDue(one));
    due.sort((a, b) => Number(a.atNs - b.atNs));
    for (const { by, step } of due) this.#onStep?.(by, step);
  }

  #flushLater(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.flush(process.hrtime.bigint() - BigInt(ORDERING_MS) * 1_000_000n);
      if (this.#waiting.length > 0) this.#flushLater();
    }, ORDERING_MS * 2).unref();
  }
}
