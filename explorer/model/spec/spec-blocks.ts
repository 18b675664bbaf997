import { allParts, type RanPart } from '../ran/registry.ts';
import { BRANCHES, type Branch, HELPERS, USED_WHERE } from './counterparts.ts';
import { type Definition, definitionOf, regionOf } from './definitions.ts';

/** A definition of the specification that a step used. */
export interface SpecBlock extends Definition {
  /** For each line whether it is what happened; the comment is neither. */
  readonly kinds: readonly ('taken' | 'other' | 'comment')[];
}

/** The action of a step, then the definitions that it used. */
export function specBlocks(
  action: string,
  ran: readonly RanPart[],
  sources: Readonly<Record<string, string>>,
): SpecBlock[] {
  const fns = [...new Set(ran.map(({ fn }) => fn))];
  const names = [action, ...fns.flatMap((fn) => HELPERS[fn] ?? [])];
  const hit = new Set(ran);
  return [...new Set(names)].flatMap((name) => {
    const definition = definitionOf(name, sources);
    if (definition === null) return [];
    const where = USED_WHERE[name];
    const used = where === undefined || where.some((one) => hit.has(partOf(one, sources)!));
    return used ? [{ ...definition, kinds: kindsOf(definition, hit, sources) }] : [];
  });
}

/** The branches of a definition that are told apart, outer ones first, and which were taken. */
export function branchesOf(
  definition: Definition,
  ran: ReadonlySet<RanPart>,
  sources: Readonly<Record<string, string>>,
) {
  return BRANCHES.filter((branch) => branch.definition === definition.name)
    .flatMap((branch) => {
      const region = regionOf(definition, branch.spec);
      return region === null ? [] : [{ ...region, taken: isTaken(branch, ran, sources) }];
    })
    .sort((a, b) => b.to - b.from - (a.to - a.from));
}

function kindsOf(definition: Definition, hit: ReadonlySet<RanPart>, sources: Readonly<Record<string, string>>) {
  const kinds = definition.lines.map((_line, index): SpecBlock['kinds'][number] =>
    index < definition.commentLines ? 'comment' : 'taken',
  );
  // An inner branch is taken only if its outer one is.
  for (const { from, to, taken } of branchesOf(definition, hit, sources)) {
    if (!taken) kinds.fill('other', from, to);
  }
  return kinds;
}

function isTaken(branch: Branch, hit: ReadonlySet<RanPart>, sources: Readonly<Record<string, string>>): boolean {
  const part = partOf(branch, sources);
  return part !== null && hit.has(part) !== (branch.unless === true);
}

/** The statement that a branch is: the innermost one in which its piece of code ends. */
export function partOf(place: Place, sources: Readonly<Record<string, string>>): RanPart | null {
  const part = known.has(place) ? known.get(place)! : find(place, sources);
  known.set(place, part);
  return part;
}

type Place = Pick<Branch, 'file' | 'code'>;
const known = new WeakMap<Place, RanPart | null>();

function find({ file, code }: Place, sources: Readonly<Record<string, string>>): RanPart | null {
  const at = (sources[file] ?? '').indexOf(code);
  if (at === -1) return null;
  const end = at + code.length - 1;
  const around = allParts().filter((part) => part.file === file && part.start <= end && end < part.end);
  return around.sort((a, b) => a.end - a.start - (b.end - b.start))[0] ?? null;
}
