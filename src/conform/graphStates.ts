import { DotError, type StateGraph } from '../graph/index.ts';
import { type Ghosts, ghosts as ghostTable, histories, mapping, ShapeError } from '../replay/index.ts';
import type { Observation } from '../systems/system.ts';
import { equal, type Value } from '../tla/index.ts';
import { plainOf, valueLike } from './anything.ts';
import { sameData } from './sameData.ts';

interface Column {
  readonly name: string;
  readonly column: number;
  readonly isGhost: boolean;
}

/**
 * The states of a graph as a system shows them: plain data, each value once, however many states share it. `protocol`: the
 * variables of spec/LeaderEpoch.tla; `any`: those of any specification, all of which a system can show.
 */
export class GraphStates {
  readonly graph: StateGraph;
  readonly kind: 'protocol' | 'any';
  /** Variables that the graph has and the table does not; a difference in them would not be seen. */
  readonly unknown: readonly string[];
  readonly #columns: readonly Column[];
  readonly #plain: unknown[] = [];
  readonly #shared = new Map<string, unknown>();

  /** @throws DotError for a graph of another specification */
  constructor(graph: StateGraph, kind: 'protocol' | 'any' = 'protocol') {
    this.graph = graph;
    this.kind = kind;
    const needed = [...Object.keys(mapping), ...Object.keys(ghostTable)];
    const remembered = Object.keys(histories).filter((name) => graph.variables.includes(name));
    const known = new Set(kind === 'any' ? graph.variables : [...needed, ...remembered]);
    const missing = [...known].find((name) => !graph.variables.includes(name));
    if (missing !== undefined) {
      throw new DotError(
        graph.file,
        0,
        0,
        `this is the graph of another specification: it has no variable ${missing}.`,
      );
    }
    this.#columns = graph.variables.flatMap((name, column) =>
      known.has(name) ? [{ name, column, isGhost: kind === 'protocol' && !(name in mapping) }] : [],
    );
    this.unknown = graph.variables.filter((name) => !known.has(name));
  }

  /** What a system would show in this state. */
  observation(state: number): Observation {
    return this.#fields(state, false);
  }

  ghosts(state: number): Ghosts {
    return this.#fields(state, true) as unknown as Ghosts;
  }

  /** Whether a system that shows this may be in that state, as far as it shows anything. */
  shows(seen: Observation, state: number): boolean {
    for (const { name, column, isGhost } of this.#columns) {
      if (isGhost || seen[name] === undefined) continue;
      const line = this.graph.lineOf(state, column);
      // Sets come as lists, perhaps in another order: only what is not the same as it stands is made a value for it.
      if (sameData(seen[name], this.#plainOf(name, line))) continue;
      const wanted = this.graph.valueOf(line);
      if (!equal(wanted, this.#valueOf(name, seen[name], wanted))) return false;
    }
    return true;
  }

  /** The specification's variables in what a system shows. `like`: a state, for the shape of each. */
  toState(seen: Observation, like: number): Map<string, Value> {
    return new Map(
      this.#columns.flatMap(({ name, column }) =>
        seen[name] === undefined
          ? []
          : [[name, this.#valueOf(name, seen[name], this.graph.valueOf(this.graph.lineOf(like, column)))] as const],
      ),
    );
  }

  #valueOf(name: string, plain: unknown, like: Value) {
    const codec = this.kind === 'any' ? undefined : codecOf(name);
    return codec === undefined ? valueLike(plain, like) : codec.toValue(plain);
  }

  #fields(state: number, isGhost: boolean): Record<string, unknown> {
    const fields: Record<string, unknown> = {};
    for (const one of this.#columns) {
      if (one.isGhost === isGhost) fields[one.name] = this.#plainOf(one.name, this.graph.lineOf(state, one.column));
    }
    return fields;
  }

  #plainOf(name: string, line: number): unknown {
    if (line in this.#plain) return this.#plain[line];
    try {
      const value = this.graph.valueOf(line);
      const codec = this.kind === 'any' ? undefined : codecOf(name);
      this.#plain[line] = this.#share(codec === undefined ? plainOf(value) : codec.toPlain(value));
      return this.#plain[line];
    } catch (error) {
      if (!(error instanceof ShapeError)) throw error;
      throw new DotError(this.graph.file, 0, 0, `${name}: ${error.message}. Is it the graph of this specification?`);
    }
  }

  /** Equal parts become one object, so that most comparisons end at once. */
  #share(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    for (const [key, part] of Object.entries(value)) (value as Record<string, unknown>)[key] = this.#share(part);
    const text = JSON.stringify(value);
    const known = this.#shared.get(text);
    if (known !== undefined) return known;
    this.#shared.set(text, value);
    return value;
  }
}

function codecOf(name: string) {
  return mapping[name] ?? ghostTable[name] ?? histories[name];
}
