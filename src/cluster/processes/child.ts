import { type ChildProcess, fork } from 'node:child_process';
import { eachLine } from '../../systems/lines.ts';
import type { Proposal } from '../controller.ts';
import type { Birth, Down, Order, Outcome, Up } from './messages.ts';
import { workerProgram } from './program.ts';

/** Characters. */
const SAID_LINE = 1_000;

export interface ChildEvents {
  /** A step that it took. */
  step(taken: Extract<Up, { kind: 'step' }>): void;
  /** It asks the controller for another ISR. */
  alterIsr(proposal: Proposal): boolean;
  /** It has closed a connection: whose, and why. */
  shownOut?(what: string): void;
  /** A line on its stderr: what it has mended on its disk, or why it ends. */
  said(what: string): void;
  /** It is gone, whoever ended it. */
  ended(): void;
}

/** Who has not ended by then, a process that was stopped, say, is killed. */
const ENDS_MS = 10_000;

/** A broker in a process of its own: it ends with this one, and nothing of it is left when it is killed. */
export class Child {
  readonly port: number;
  readonly #process: ChildProcess;
  readonly #ended: Promise<void>;
  readonly #outcomes = new Map<number, (outcome: Outcome) => void>();
  #count = 0;

  private constructor(child: ChildProcess, ended: Promise<void>, port: number) {
    this.#process = child;
    this.#ended = ended;
    this.port = port;
  }

  /** Starts it, and lets it recover and listen. A sentence if it cannot. */
  static async begin(birth: Birth, events: ChildEvents): Promise<Child | string> {
    const child = fork(await workerProgram(), { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    eachLine(child.stderr!, SAID_LINE, { line: (line) => events.said(line) });
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
    const starting = new Child(child, ended, 0);
    starting.#listen(events);
    const outcome = await starting.ask({ kind: 'begin', birth });
    if (outcome.kind === 'listening') return Object.assign(starting, { port: outcome.port });
    await starting.kill();
    return outcome.kind === 'refused' ? outcome.reason : `it answers with "${outcome.kind}"`;
  }

  get pid(): number {
    return this.#process.pid ?? -1;
  }

  /** Its outcome comes after all that it did in obeying. */
  ask(order: Order): Promise<Outcome> {
    const number = ++this.#count;
    return new Promise((resolve) => {
      this.#outcomes.set(number, resolve);
      this.#tell({ kind: 'order', number, order });
    });
  }

  /** SIGKILL: as a process dies. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#ended;
  }

  async shutDown(): Promise<void> {
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), ENDS_MS);
    await this.ask({ kind: 'shutDown' });
    await this.#ended;
    clearTimeout(timer);
  }

  #listen(events: ChildEvents): void {
    this.#process.on('message', (message) => {
      const up = message as Up;
      if (up.kind === 'step') events.step(up);
      else if (up.kind === 'shownOut') events.shownOut?.(up.what);
      else if (up.kind === 'alterIsr') {
        this.#tell({ kind: 'isrAnswer', number: up.number, accepted: events.alterIsr(up.proposal) });
      } else {
        this.#outcomes.get(up.number)?.(up.outcome);
        this.#outcomes.delete(up.number);
      }
    });
    void this.#ended.then(() => {
      for (const resolve of this.#outcomes.values()) resolve({ kind: 'refused', reason: 'its process has ended' });
      this.#outcomes.clear();
      events.ended();
    });
  }

  #tell(message: Down): void {
    // A process that is ending is not told any more.
    if (this.#process.connected) this.#process.send(message, () => {});
    else if (message.kind === 'order')
      this.#outcomes.get(message.number)?.({ kind: 'refused', reason: 'its process has ended' });
  }
}
