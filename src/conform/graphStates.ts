import { DotError, type StateGraph } from '../graph/index.ts';
import { type Ghosts, ghosts as ghostTable, mapping, ShapeError } from '../replay/index.ts';
import type { Observation } from '../systems/system.ts';

/** The states of a graph as a system shows them: plain data, each value once, however many states share it. */
export class GraphStates {
  readonly graph: StateGraph;
  /** Variables that the graph has and the table does not; a difference in them would not be seen. */
  readonly unknown: readonly string[];
  readonly #columns: readonly { readonly name: string; readonly isGhost: boolean; readonly column: number }[];
  readonly #plain: unknown[] = [];
  readonly #shared = new Map<string, unknown>();

  /** @throws DotError for a graph of another specification */
  constructor(graph: StateGraph) {
    this.graph = graph;
    const missing = [...Object.keys(mapping), ...Object.keys(ghostTable)].find(
      (name) => !graph.variables.includes(name),
    );
    if (missing !== undefined) {
      throw new DotError(
        graph.file,
        0,
        0,
        `this is the graph of another specification: it has no variable ${missing}.`,
      );
    }
    this.#columns = graph.variables.flatMap((name, column) =>
      name in mapping || name in ghostTable ? [{ name, isGhost: name in ghostTable, column }] : [],
    );
    this.unknown = graph.variables.filter((name) => !(name in mapping) && !(name in ghostTable));
  }

  observation(state: number): Observation {
    return this.#fields(state, false);
  }

  ghosts(state: number): Ghosts {
    return this.#fields(state, true) as unknown as Ghosts;
  }

  #fields(state: number, isGhost: boolean): Record<string, unknown> {
    const fields: Record<string, unknown> = {};
    for (const one of this.#columns) {
      if (one.isGhost === isGhost) fields[one.name] = this.#valueOf(one.name, this.graph.lineOf(state, one.column));
    }
    return fields;
  }

  #valueOf(name: string, line: number): unknown {
    if (line in this.#plain) return this.#plain[line];
    try {
      const value = (mapping[name] ?? ghostTable[name])!.toPlain(this.graph.valueOf(line));
      this.#plain[line] = this.#share(value);
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
