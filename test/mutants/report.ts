import type { Mutant } from './mistakes.ts';
import type { Survivor } from './survivors.ts';
import type { Verdicts } from './verdicts.ts';

export interface Report {
  readonly caught: number;
  readonly share: number;
  /** Survivors that nobody has explained. */
  readonly unexplained: readonly Mutant[];
  /** Explanations of what does not survive, or is no mutant any more. */
  readonly stale: readonly Survivor[];
  readonly markdown: string;
}

export function reportOf(mutants: readonly Mutant[], verdicts: Verdicts, explained: readonly Survivor[]): Report {
  const alive = mutants.filter((mutant) => verdicts.of(mutant).killedBy === null);
  const caught = mutants.length - alive.length;
  const share = caught / mutants.length;
  const why = (mutant: Mutant) => explained.find(({ file, name }) => file === mutant.file && name === mutant.name)?.why;
  return {
    caught,
    share,
    unexplained: alive.filter((mutant) => why(mutant) === undefined),
    stale: explained.filter((one) => !alive.some(({ file, name }) => file === one.file && name === one.name)),
    markdown: [
      '# Mutants of src/replica',
      '',
      'Written by `npm run mutants -- --report test/mutants/report.md`.',
      '',
      `${caught} of ${mutants.length} are caught (${(share * 100).toFixed(1)} %).`,
      '',
      '| file | mutants | caught | survive |',
      '|---|---|---|---|',
      ...[...new Set(mutants.map(({ file }) => file))].map((file) => {
        const all = mutants.filter((mutant) => mutant.file === file).length;
        const left = alive.filter((mutant) => mutant.file === file).length;
        return `| ${file} | ${all} | ${all - left} | ${left} |`;
      }),
      '',
      '| the first judge that tells | mutants |',
      '|---|---|',
      ...counted(mutants.flatMap((mutant) => verdicts.of(mutant).killedBy ?? [])).map(([by, n]) => `| ${by} | ${n} |`),
      '',
      '## Survivors',
      '',
      'The largest model of the quick set conforms with each of them, and so do all the others that judged.',
      '',
      ...alive.flatMap((mutant) => [
        `- \`${mutant.file}\` ${code(mutant.name)}`,
        `  ${why(mutant) ?? '(not explained)'}`,
      ]),
      '',
    ].join('\n'),
  };
}

/** By what killed them, most first: the model, and not what differed there. */
function counted(killers: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const killer of killers) {
    const by = killer.startsWith('test ') ? 'a test of src/replica' : killer.split(':')[0]!;
    counts.set(by, (counts.get(by) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a);
}

function code(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}
