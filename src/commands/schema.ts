import { z } from 'zod';
import { reportSchema } from '../tlc/index.ts';

/**
 * What `--json` prints, for whoever reads it: `docs/output.schema.json` is made of this (a test holds the two together). The version
 * counts up when something that is here changes its meaning or goes away; more fields may come at any time.
 */
const verdict = z.enum(['asClaimed', 'notAsClaimed', 'couldNotTell']);

const count = z.number().int().nonnegative().nullable();

const claimResult = z.looseObject({
  claim: z.string(),
  claimed: z.enum(['holds', 'violated']),
  property: z.array(z.string()),
  verdict,
  reasons: z.array(z.string()).optional().describe('Why it is not as claimed.'),
  reason: z.string().optional().describe('Why TLC could not tell.'),
  counterexampleStates: count,
  statistics: z.looseObject({ generated: count, distinct: count, queueLeft: count, depth: count, initial: count }),
  durationMs: z.number(),
  kept: z.boolean().describe('The outcome is one that was kept from an earlier run.'),
});

const head = {
  version: z.literal(1),
  exitCode: z
    .union([z.literal(0), z.literal(1), z.literal(2)])
    .describe('0 as claimed, 1 not as claimed, 2 could not tell.'),
};

const checkOutput = z.looseObject({ ...head, command: z.literal('check'), results: z.array(claimResult) });

const tlcResult = z.looseObject({
  spec: z.string(),
  ...reportSchema.shape,
  jar: z.looseObject({ path: z.string(), sha256: z.string() }).nullable(),
  java: z.looseObject({ path: z.string(), version: z.string() }).nullable().describe('Null when Java was not started.'),
  kept: z.boolean().describe('The outcome is one that was kept from an earlier run.'),
});

const tlcOutput = z.looseObject({ ...head, command: z.literal('tlc'), results: z.array(tlcResult) });

const doctorOutput = z.looseObject({
  ...head,
  command: z.literal('doctor'),
  findings: z.array(
    z.looseObject({
      what: z.string(),
      ok: z.boolean(),
      detail: z.string().describe('The version and place, or how to get it.'),
      needed: z.string().describe('What it is needed for.'),
      optional: z.boolean().describe('Only some of the commands need it.'),
    }),
  ),
});

const replayOutput = z.looseObject({
  ...head,
  command: z.literal('replay'),
  results: z.array(
    z.looseObject({
      file: z.string(),
      exitCode: head.exitCode,
      problem: z.string().optional().describe('Why the trace could not be replayed.'),
      replay: z
        .looseObject({ kind: z.string(), system: z.string(), steps: z.number(), lastIndex: z.number() })
        .optional()
        .describe('`lastIndex`: of the last state that was compared, from 0.'),
      mended: z.looseObject({}).optional().describe('The same schedule under another rule.'),
    }),
  ),
});

const mainOutput = z.looseObject({
  ...head,
  command: z.literal('main'),
  modelChecked: z.boolean().describe('False where there is no Java: TLC was not asked.'),
  claims: z.array(claimResult),
  replays: z.array(z.looseObject({ trace: z.string(), replay: z.string(), tlc: z.string().nullable() })),
});

const failedOutput = z.looseObject({
  ...head,
  command: z.string(),
  exitCode: z.literal(2),
  error: z.string().describe('What kept the command from its work: a sentence for people.'),
});

/** Of the other commands only the frame is fixed so far. */
const otherOutput = z.looseObject({
  ...head,
  command: z.string().regex(/^(?!(?:check|tlc|doctor|replay|main)$)/),
});

export const Output = z.union([
  checkOutput,
  tlcOutput,
  doctorOutput,
  replayOutput,
  mainOutput,
  failedOutput,
  otherOutput,
]);

/** JSON Schema, draft 2020-12. */
export function outputSchema(): unknown {
  return { title: 'What leader-epoch prints with --json', ...z.toJSONSchema(Output, { reused: 'ref' }) };
}
