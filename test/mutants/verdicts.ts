import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Mutant } from './mistakes.ts';

/** `killedBy`: what told it from the original; null: none of `judges` did. */
export interface Verdict {
  readonly killedBy: string | null;
  readonly judges: readonly string[];
}

interface Line extends Verdict {
  readonly of: string;
  readonly file: string;
  readonly name: string;
}

const NONE: Verdict = { killedBy: null, judges: [] };

/** What became of each mutant; in a file, too, so that a run that was stopped goes on where it was, or goes further with more judges. */
export class Verdicts {
  readonly #file: string | undefined;
  readonly #of: string;
  readonly #known = new Map<string, Verdict>();

  /** `of`: the sources that a verdict holds for. */
  constructor(file: string | undefined, of: string) {
    this.#file = file;
    this.#of = of;
    if (file === undefined || !existsSync(file)) return;
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      // A run that was stopped may have left half a line.
      if (!line.endsWith('}')) continue;
      const { of: its, ...known } = JSON.parse(line) as Line;
      if (its === of) this.#known.set(keyOf(known), known);
    }
    appendFileSync(file, '\n');
  }

  of(mutant: Pick<Mutant, 'file' | 'name'>): Verdict {
    return this.#known.get(keyOf(mutant)) ?? NONE;
  }

  /** What `judges` have found, beside those that have judged it before. */
  add(mutant: Pick<Mutant, 'file' | 'name'>, killedBy: string | null, judges: readonly string[]): void {
    const { file, name } = mutant;
    const verdict = { killedBy, judges: [...this.of(mutant).judges, ...judges] };
    this.#known.set(keyOf(mutant), verdict);
    if (this.#file === undefined) return;
    appendFileSync(this.#file, `${JSON.stringify({ of: this.#of, file, name, ...verdict } satisfies Line)}\n`);
  }
}

function keyOf({ file, name }: Pick<Mutant, 'file' | 'name'>): string {
  return `${file} ${name}`;
}
