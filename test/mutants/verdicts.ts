import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Mutant } from './mistakes.ts';

interface Line {
  readonly of: string;
  readonly file: string;
  readonly name: string;
  readonly killedBy: string | null;
}

/** What became of each mutant; in a file, too, so that a run that was stopped goes on where it was. */
export class Verdicts {
  readonly #file: string | undefined;
  readonly #of: string;
  readonly #known = new Map<string, string | null>();

  /** `of`: what a verdict holds for, and no other. */
  constructor(file: string | undefined, of: string) {
    this.#file = file;
    this.#of = of;
    if (file === undefined || !existsSync(file)) return;
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      // A run that was stopped may have left half a line.
      if (!line.endsWith('}')) continue;
      const { of: its, file: name, name: change, killedBy } = JSON.parse(line) as Line;
      if (its === of) this.#known.set(`${name} ${change}`, killedBy);
    }
    appendFileSync(file, '\n');
  }

  has({ file, name }: Mutant): boolean {
    return this.#known.has(`${file} ${name}`);
  }

  /** What told it from the original, null if nothing did. */
  of({ file, name }: Mutant): string | null {
    return this.#known.get(`${file} ${name}`) ?? null;
  }

  add({ file, name }: Mutant, killedBy: string | null): void {
    this.#known.set(`${file} ${name}`, killedBy);
    if (this.#file === undefined) return;
    appendFileSync(this.#file, `${JSON.stringify({ of: this.#of, file, name, killedBy } satisfies Line)}\n`);
  }
}
