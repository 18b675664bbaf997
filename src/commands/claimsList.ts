import {
  type BeyondRun,
  type Claim,
  loadBeyond,
  loadClaims,
  manifestOf,
  type Try,
  whyUntried,
} from '../claims/index.ts';
import { inWords } from './beyond.ts';
import { AS_CLAIMED, type Io, printJson } from './io.ts';
import { paint } from './show.ts';

export interface ClaimsCommand {
  readonly json?: boolean;
  readonly markdown?: boolean;
  readonly bugs?: boolean;
  readonly beyond?: boolean;
  readonly manifest?: boolean;
}

/** `leader-epoch claims`: what is claimed, by which rule, within which bound. */
export function listClaims(options: ClaimsCommand, io: Io): number {
  const claims = loadClaims();
  if (options.markdown === true) {
    for (const line of claimsTable(claims)) io.out(line);
    return AS_CLAIMED;
  }
  if (options.bugs === true) {
    for (const line of bugsTable(claims)) io.out(line);
    return AS_CLAIMED;
  }
  if (options.beyond === true) {
    for (const line of beyondTable(claims, loadBeyond())) io.out(line);
    return AS_CLAIMED;
  }
  if (options.manifest === true) {
    io.out(JSON.stringify(manifestOf(claims, loadBeyond()), null, 2));
    return AS_CLAIMED;
  }
  if (options.json === true) {
    printJson(io, 'claims', AS_CLAIMED, { claims, beyond: loadBeyond() });
    return AS_CLAIMED;
  }
  for (const entry of claims) {
    const { claim, title, profile, verdict, property, bound, set } = entry;
    const found = countsOf(entry);
    io.out(`${paint(claim, 'title', io)} (${set}): ${title}`);
    io.out(`    ${profile}: ${property.join(', ')} ${verdict === 'violated' ? 'is violated' : 'holds'}, ${found}`);
    io.out(`    ${paint(bound, 'quiet', io)}`);
  }
  return AS_CLAIMED;
}

/** The table of spec/README.md. */
function claimsTable(claims: readonly Claim[]): string[] {
  const row = (entry: Claim): string => {
    const { title, profile, property, verdict, bound, source } = entry;
    const cells = [
      nameOf(entry),
      title,
      profile,
      property.join(', '),
      bound,
      `**${verdict}**, ${countsOf(entry)}`,
      source.join('; '),
    ];
    return `| ${cells.join(' | ')} |`;
  };
  return [
    '| claim | | rule | property | bound | verdict | source |',
    '|---|---|---|---|---|---|---|',
    ...claims.map(row),
  ];
}

/** The table of known bugs: the claims that each breaks, and those that hold where it is mended. */
function bugsTable(claims: readonly Claim[]): string[] {
  const inRule = (entry: Claim): string => `${nameOf(entry)} (${entry.profile})`;
  const known = claims.filter(({ bug }) => bug !== undefined);
  const lines = [...new Set(known.map(({ bug }) => bug))].map((bug) => {
    const broken = known.filter((entry) => entry.bug === bug);
    const mended = new Set(broken.flatMap(({ mendedIn = [] }) => mendedIn));
    const holding = claims.filter(({ claim }) => mended.has(claim));
    return `| ${[bug, broken[0]?.title, broken.map(inRule).join(', '), holding.map(inRule).join(', ')].join(' | ')} |`;
  });
  return ['| known bug | | violated | holds, once it is mended |', '|---|---|---|---|', ...lines];
}

/** The table of how far each claim was tried beyond its bound. */
function beyondTable(claims: readonly Claim[], runs: readonly BeyondRun[]): string[] {
  const rows = claims.map((claim) => {
    const cell = (kind: Try): string => {
      const run = runs.find((one) => one.claim === claim.claim && one.try === kind);
      if (run === undefined) return whyUntried(claim, kind) ?? '';
      const bound = kind === 'larger' || kind === 'smaller' ? `${run.bound}: ` : '';
      return `${bound}${inWords(run)}${kind === 'itself' ? `, ${run.seconds} s` : ''}`;
    };
    const kinds: Try[] = ['itself', claim.verdict === 'holds' ? 'larger' : 'smaller', 'three', 'simulated', 'lazy'];
    return `| ${[claim.claim, claim.verdict, ...kinds.map(cell)].join(' | ')} |`;
  });
  return [
    '| claim | | in its own bound | the next bound | 3 replicas, 3 elections, 2 crashes | the same, at random | lazy checkpoints |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ];
}

function nameOf({ claim, verdict }: Claim): string {
  return verdict === 'violated' ? `[${claim}](../traces/${claim}.md)` : claim;
}

function countsOf({ verdict, counts }: Claim): string {
  if (verdict === 'holds') return `${counts.states?.toLocaleString('en')} states, depth ${counts.depth}`;
  // TLC does not look for the shortest lasso.
  return counts.length === undefined ? 'by a behaviour without end' : `after ${counts.length} states`;
}
