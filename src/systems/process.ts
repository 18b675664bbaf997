import { z } from 'zod';
import { excerpt, type JsonLines, type JsonLinesOptions, startJsonLines } from './jsonLines.ts';
import type { System } from './system.ts';

export { ProcessError, type ProcessProblem } from './jsonLines.ts';

/** docs/process-protocol.md */
export const PROTOCOL = 1;

export interface ProcessOptions extends JsonLinesOptions {
  /** Until it has started and said hello. */
  readonly startTimeoutMs?: number;
  /** For every other request. */
  readonly timeoutMs?: number;
}

/** What a process says of itself. */
export interface Hello {
  readonly name: string;
  readonly observable: readonly string[];
  /** Variables of the specification that it cannot show, and why. */
  readonly notObservable: Readonly<Record<string, string>>;
  /** Actions that it does not have, and why; they are refused. */
  readonly unsupported: Readonly<Record<string, string>>;
  /** Requests beyond those that every process answers. */
  readonly can: readonly ('restore' | 'enabled')[];
}

export interface ProcessSystem extends System {
  readonly hello: Hello;
}

/** Generous: the machine may be busy. A process that hangs is found all the same. */
const DEFAULT_START_TIMEOUT_MS = 180_000;
const DEFAULT_TIMEOUT_MS = 120_000;
/** A process that is asked to close has nothing left to compute. */
const CLOSE_TIMEOUT_MS = 5_000;
/** Of all that is wrong with an answer. */
const ISSUES_TOLD = 3;

const helloAnswer = z.object({
  protocol: z.number(),
  name: z.string(),
  observable: z.array(z.string()).min(1),
  notObservable: z.record(z.string(), z.string()).default({}),
  unsupported: z.record(z.string(), z.string()).default({}),
  can: z.array(z.enum(['restore', 'enabled'])).default([]),
});
const okAnswer = z.object({ ok: z.literal(true) });
const effect = z.object({ kind: z.literal('acknowledged'), id: z.number().int(), acks: z.enum(['1', 'all']) });
const stepAnswer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('taken'), effects: z.array(effect).default([]) }),
  z.object({ kind: z.literal('refused'), reason: z.string() }),
]);
const observeAnswer = z.object({ observation: z.record(z.string(), z.unknown()) });
const enabledAnswer = z.object({
  steps: z.array(z.object({ action: z.string(), args: z.array(z.union([z.string(), z.number()])) })),
});
const errorAnswer = z.object({ error: z.string() });

/** Any process that speaks the protocol, in any language. */
export async function processSystem(options: ProcessOptions): Promise<ProcessSystem> {
  const lines = await startJsonLines(options);
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const ask = <T>(request: object, schema: z.ZodType<T>, withinMs = timeoutMs): Promise<T> =>
    askFor(lines, request, schema, withinMs);
  try {
    const { protocol, ...hello } = await ask(
      { request: 'hello', protocol: PROTOCOL },
      helloAnswer,
      options.startTimeoutMs ?? DEFAULT_START_TIMEOUT_MS,
    );
    if (protocol !== PROTOCOL) {
      throw lines.end('protocol', `speaks protocol ${protocol}, this is ${PROTOCOL}`);
    }
    return {
      name: options.name,
      hello,
      observable: new Set(hello.observable),
      reset: async (config) => void (await ask({ request: 'reset', config }, okAnswer)),
      step: ({ action, args, id }) =>
        ask({ request: 'step', action, args, ...(id === undefined ? {} : { id }) }, stepAnswer),
      observe: async () => {
        const { observation } = await ask({ request: 'observe' }, observeAnswer);
        const missing = hello.observable.filter((name) => !(name in observation));
        if (missing.length === 0) return observation;
        throw lines.end('protocol', `says that it shows ${missing.join(', ')}, and its observation does not`);
      },
      ...(hello.can.includes('restore') && {
        restore: async (state) => void (await ask({ request: 'restore', state }, okAnswer)),
      }),
      ...(hello.can.includes('enabled') && {
        enabled: async () => (await ask({ request: 'enabled' }, enabledAnswer)).steps,
      }),
      close: async () => {
        // Whatever it answers, or if it has died long since: it is ended.
        await ask({ request: 'close' }, okAnswer, CLOSE_TIMEOUT_MS).catch(() => {});
        await lines.close();
      },
    };
  } catch (error) {
    await lines.close();
    throw error;
  }
}

async function askFor<T>(lines: JsonLines, request: object, schema: z.ZodType<T>, withinMs: number): Promise<T> {
  const answer = await lines.ask(request, withinMs);
  const failed = errorAnswer.safeParse(answer);
  if (failed.success) throw lines.complaint('failed', `says: ${failed.data.error}`);
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  const first = new z.ZodError(parsed.error.issues.slice(0, ISSUES_TOLD));
  const asked = excerpt(JSON.stringify(request));
  throw lines.end('protocol', `answered ${asked} in a shape of its own: ${z.prettifyError(first)}`);
}
