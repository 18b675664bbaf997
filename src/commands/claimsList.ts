import { type Claim, loadClaims } from '../claims/index.ts';
import { AS_CLAIMED, type Io, printJson } from './io.ts';
import { paint } from './show.ts';

export interface ClaimsCommand {
  readonly json?: boolean;
  readonly markdown?: boolean;
}

/** `leader-epoch claims`: what is claimed, by which rule, within which bound. */
export function listClaims(options: ClaimsCommand, io: Io): number {
  const claims = loadClaims();
  if (options.markdown === true) {
    for (const line of claimsTable(claims)) io.out(line);
    return AS_CLAIMED;
  }
  if (options.json === true) {
    printJson(io, 'claims', AS_CLAIMED, { claims });
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
    const { claim, title, profile, property, verdict, bound, source } = entry;
    const name = verdict === 'violated' ? `[${claim}](../traces/${claim}.md)` : claim;
    const cells = [
      name,
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

function countsOf({ verdict, counts }: Claim): string {
  return verdict === 'violated'
    ? `after ${counts.length} states`
    : `${counts.states?.toLocaleString('en')} states, depth ${counts.depth}`;
}
