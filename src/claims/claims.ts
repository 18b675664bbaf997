import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { didYouMean } from './nearest.ts';
import { BUDGET_NAMES } from './variant.ts';

/** The folder of the specification: modules, models/ and claims.json. */
export const specFolder = fileURLToPath(new URL('../../spec/', import.meta.url));

const claimSchema = z.strictObject({
  /** As on the command line and in traces/: kebab case. */
  claim: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  title: z.string(),
  /** What happens, in a sentence or two. */
  story: z.string(),
  /** The module and configuration under spec/models, without ending. */
  model: z.string().regex(/^\w+$/),
  profile: z.string(),
  /** The invariants that are claimed to hold, or the one that is claimed to be violated. */
  property: z.array(z.string()).min(1),
  verdict: z.enum(['violated', 'holds']),
  bound: z.string(),
  /** `holds`: distinct states and depth of the whole graph. `violated`: states of the shortest counterexample. */
  counts: z.strictObject({
    states: z.number().int().positive().optional(),
    depth: z.number().int().positive().optional(),
    length: z.number().int().positive().optional(),
  }),
  /** `main`: the main job checks it. `quick`: so does `check` without arguments. `deep`: only when asked for. */
  set: z.enum(['main', 'quick', 'deep']),
  source: z.array(z.string()).min(1),
  /** The profile under which the schedule of the counterexample keeps what was lost. */
  mendedBy: z.string().optional(),
  /** The known bug that is violated here: its JIRA issue, or the proposal that closes it. */
  bug: z
    .string()
    .regex(/^(KAFKA|KIP)-\d+$/)
    .optional(),
  /** `violated`: the claims that hold, in the same bound or a larger one, under the rule that mends it. */
  mendedIn: z.array(z.string()).min(1).optional(),
  /** Why smaller bounds miss it. */
  why: z.string().optional(),
  /** What the next larger bound has one more of, where it is not what the model is about: see variant.ts. */
  larger: z.array(z.enum(BUDGET_NAMES)).optional(),
});

export type Claim = z.infer<typeof claimSchema>;

export class ClaimsError extends Error {
  override readonly name = 'ClaimsError';
}

/** @throws ClaimsError naming the file and the JSON path */
export function loadClaims(folder = specFolder): Claim[] {
  const file = join(folder, 'claims.json');
  const read = z.strictObject({ claims: z.array(claimSchema) }).safeParse(parseJson(file));
  if (read.success) return read.data.claims;
  const issue = read.error.issues[0];
  throw new ClaimsError(`${file}: at ${issue?.path.join('.') || 'the top'}: ${issue?.message}.`);
}

function parseJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new ClaimsError(`${file} cannot be read as JSON: ${(error as Error).message}.`);
  }
}

/**
 * The claims of these names, in the order given; all that `select` wants when none is named.
 * @throws ClaimsError for an unknown name, with the nearest ones
 */
export function pickClaims(
  claims: readonly Claim[],
  names: readonly string[],
  select: (claim: Claim) => boolean,
): Claim[] {
  if (names.length === 0) return claims.filter(select);
  return [...new Set(names)].map((name) => {
    const found = claims.find((claim) => claim.claim === name || claim.model === name);
    if (found) return found;
    const near = didYouMean(
      name,
      claims.map(({ claim }) => claim),
    );
    throw new ClaimsError(`There is no claim "${name}".${near} \`leader-epoch claims\` lists them all.`);
  });
}
