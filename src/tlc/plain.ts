import { z } from 'zod';
import { printItf, type State, type Trace } from '../trace/index.ts';
import type { TlcOutcome, TlcReport } from './outcome.ts';

/**
 * A report as plain JSON, for other programs: the same fields, traces and states in ITF. `reportSchema` says what there is; its
 * version is that of the command line's `--json`.
 */

const count = z.number().int().nonnegative().nullable();
const trace = z
  .looseObject({ vars: z.array(z.string()), states: z.array(z.record(z.string(), z.json())) })
  .describe(
    'A behaviour in ITF (https://apalache-mc.org/docs/adr/015adr-trace.html): `loop` of a lasso counts from 0.',
  );
const range = z.object({
  module: z.string().nullable(),
  line: z.number(),
  column: z.number(),
  endLine: z.number(),
  endColumn: z.number(),
});
const specError = z.object({ message: z.string(), ...range.partial().shape, module: z.string().optional() });

const violation = { name: z.string(), location: range.optional(), initial: z.boolean(), trace };
const evaluation = { message: z.string(), callStack: z.array(range), trace: trace.nullable() };

export const outcomeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('success'), exhaustive: z.boolean() }),
  z.object({ kind: z.literal('invariant'), ...violation }),
  z.object({ kind: z.literal('actionProperty'), ...violation }),
  z.object({
    kind: z.literal('temporal'),
    names: z.array(z.string()).nullable(),
    trace,
    hint: z.string().nullable(),
  }),
  z.object({ kind: z.literal('deadlock'), trace }),
  z.object({ kind: z.literal('assumption'), message: z.string(), location: range.nullable() }),
  z.object({ kind: z.literal('assertion'), ...evaluation }),
  z.object({ kind: z.literal('evaluation'), code: z.number(), ...evaluation }),
  z.object({
    kind: z.literal('incompleteNext'),
    message: z.string(),
    variables: z.array(z.string()),
    trace: trace.nullable(),
    partialState: z.record(z.string(), z.json()).nullable().describe('Values in ITF.'),
    action: z.string().nullable(),
  }),
  z.object({ kind: z.literal('parse'), errors: z.array(specError).min(1) }),
  z.object({
    kind: z.literal('config'),
    code: z.number().nullable(),
    message: z.string(),
    hint: z.string().nullable(),
  }),
  z.object({ kind: z.literal('usage'), message: z.string(), option: z.string().nullable() }),
  z.object({ kind: z.literal('outOfMemory'), message: z.string() }),
  z.object({
    kind: z.literal('toolFailure'),
    cause: z.enum([
      ...(['jvmStart', 'jvmCrash', 'killed', 'incompleteOutput', 'unreadableTrace'] as const),
      ...(['tlcBug', 'metadir', 'diskFull', 'system', 'unknown'] as const),
    ]),
    message: z.string(),
  }),
  z.object({ kind: z.literal('timeout'), timeoutMs: z.number() }),
  z.object({ kind: z.literal('cancelled'), by: z.enum(['abort', 'signal']), signal: z.string().nullable() }),
  z.object({
    kind: z.literal('missingJava'),
    problem: z.enum(['missing', 'tooOld', 'broken']),
    message: z.string(),
  }),
  z.object({
    kind: z.literal('badJar'),
    problem: z.enum(['missing', 'notAJar', 'noTlc', 'checksum', 'download']),
    message: z.string(),
  }),
]);

export const reportSchema = z.object({
  outcome: outcomeSchema,
  further: z.array(outcomeSchema).describe('What else was found in the same run.'),
  statistics: z.object({ generated: count, distinct: count, queueLeft: count, depth: count, initial: count }),
  tlcVersion: z.string().nullable(),
  collisionProbability: z.number().nullable(),
  durationMs: z.number().nullable(),
  exitCode: z.number().nullable().describe("TLC's own: no verdict."),
  userOutput: z.array(z.string()).describe('Lines that the specification printed.'),
  userOutputDropped: z.number(),
  warnings: z.array(z.object({ code: z.number().nullable(), message: z.string() })),
  coverage: z.array(
    z.object({
      kind: z.enum(['init', 'next', 'property', 'constraint', 'variable', 'expression']),
      name: z.string().nullable(),
      location: range.nullable(),
      part: range.nullable(),
      nesting: z.number(),
      distinct: count,
      count,
      cost: count,
    }),
  ),
});

export type PlainOutcome = z.infer<typeof outcomeSchema>;
export type PlainReport = z.infer<typeof reportSchema>;

export function plainReport(report: TlcReport): PlainReport {
  const { statistics, tlcVersion, collisionProbability, durationMs, exitCode } = report;
  return {
    outcome: plainOutcome(report.outcome),
    further: report.further.map(plainOutcome),
    ...{ statistics, tlcVersion, collisionProbability, durationMs, exitCode },
    userOutput: [...report.userOutput],
    userOutputDropped: report.userOutputDropped,
    warnings: [...report.warnings],
    coverage: [...report.coverage],
  };
}

export function plainOutcome(outcome: TlcOutcome): PlainOutcome {
  if (outcome.kind === 'incompleteNext') {
    const { partialState, action } = outcome;
    return plainly({
      ...outcome,
      trace: outcome.trace && plainTrace(outcome.trace),
      partialState: partialState && plainState(partialState),
      action: action?.name ?? null,
    });
  }
  return plainly('trace' in outcome ? { ...outcome, trace: outcome.trace && plainTrace(outcome.trace) } : outcome);
}

/** The types of the two agree but for `readonly`, which JSON does not have. */
function plainly(value: unknown): PlainOutcome {
  return value as PlainOutcome;
}

function plainTrace(each: Trace): z.infer<typeof trace> {
  return JSON.parse(printItf(each)) as z.infer<typeof trace>;
}

function plainState(state: State): Record<string, z.infer<ReturnType<typeof z.json>>> {
  const [only] = plainTrace({ vars: [...state.keys()], states: [state], actions: [null], meta: {} }).states;
  const { '#meta': _, ...values } = only ?? {};
  return values;
}
