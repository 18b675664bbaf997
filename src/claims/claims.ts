import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
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
    const near = nearest(name, claims);
    const suggestion = near.length === 0 ? '' : ` Did you mean ${near.map((each) => `"${each}"`).join(' or ')}?`;
    throw new ClaimsError(`There is no claim "${name}".${suggestion} \`leader-epoch claims\` lists them all.`);
  });
}

/** Those that share most words with the name, two at most, and at least half of its words; a typing error is no other word. */
function nearest(name: string, claims: readonly Claim[]): string[] {
  const words = name
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const score = (claim: Claim): number => {
    const own = claim.claim.split('-');
    return words.filter((word) => own.some((other) => isLike(word, other))).length;
  };
  return claims
    .map((claim) => ({ name: claim.claim, score: score(claim) }))
    .filter((each) => each.score > 0 && each.score >= words.length / 2)
    .sort((a, b) => b.score - a.score)
    .slice(0, 2)
    .map((each) => each.name);
}

/** The same but for one letter, or one is the beginning of the other. */
function isLike(a: string, b: string): boolean {
  if (a === b || (Math.min(a.length, b.length) >= 3 && (a.startsWith(b) || b.startsWith(a)))) return true;
  if (Math.abs(a.length - b.length) > 1 || Math.min(a.length, b.length) < 4) return false;
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  const [restA, restB] = [a.slice(same), b.slice(same)];
  return restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1);
}
