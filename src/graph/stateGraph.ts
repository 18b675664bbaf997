import { parse, TlaSyntaxError, type Value } from '../tla/index.ts';
import { DotError } from './dotError.ts';
import { type DotEvents, DotReader, unescapeDot } from './dotReader.ts';
import { IntList } from './intList.ts';

/** A labelled step from one state to another, by their numbers. */
export interface GraphStep {
  readonly from: number;
  readonly to: number;
  /** As the dump has it; empty where it was made without `actionlabels`. */
  readonly action: string;
}

/**
 * A reachable graph in memory: states have numbers from 0 on, in the order of their first mention. A state is a row of line
 * numbers, one for each variable; a line is read as a value when it is asked for, and once.
 */
export class StateGraph implements DotEvents {
  readonly file: string;
  readonly variables: readonly string[] = [];
  readonly initial: number[] = [];
  readonly #reader: DotReader;
  readonly #rows = new IntList(1 << 14);
  readonly #rowOf = new IntList();
  readonly #from = new IntList();
  readonly #action = new IntList();
  readonly #to = new IntList();
  readonly #values: (Value | undefined)[] = [];
  #firstStep = new Int32Array(0);
  #stepOrder = new Int32Array(0);
  #states = 0;

  constructor(file: string) {
    this.file = file;
    this.#reader = new DotReader(this, file);
  }

  push(chunk: Uint8Array): void {
    this.#reader.push(chunk);
  }

  /** @throws DotError if the graph has not come to its end, or names states that it does not show */
  finish(): this {
    this.#reader.finish();
    const missing = this.#firstMissing();
    if (missing !== -1) {
      const id = this.#reader.ids.idOf(missing);
      throw new DotError(this.file, 0, 0, `a step leads to state ${id}, which is not shown. Make the dump again.`);
    }
    this.#index();
    return this;
  }

  state(number: number, lines: Int32Array, initial: boolean): void {
    if (this.variables.length === 0) this.#name(lines);
    // With several workers TLC may write a state twice.
    if (number < this.#rowOf.length && this.#rowOf.at(number) !== -1) return;
    this.#rowOf.set(number, this.#rows.length, -1);
    for (let column = 0; column < this.variables.length; column++) this.#rows.push(lines[column]!);
    this.#states++;
    if (initial) this.initial.push(number);
  }

  step(from: number, action: number, to: number): void {
    this.#from.push(from);
    this.#action.push(action);
    this.#to.push(to);
  }

  get stateCount(): number {
    return this.#states;
  }

  /** As TLC wrote them, repetitions included. */
  get stepCount(): number {
    return this.#from.length;
  }

  /** Distinct lines: values of variables, each counted once. */
  get lineCount(): number {
    return this.#reader.lines.size;
  }

  get actions(): readonly string[] {
    return this.#reader.actions;
  }

  /** The fingerprint by which TLC knows a state. */
  idOf(state: number): bigint {
    return this.#reader.ids.idOf(state);
  }

  /** The number of the line of one variable (an index into `variables`) in a state: equal if and only if the values are. */
  lineOf(state: number, variable: number): number {
    return this.#rows.at(this.#rowOf.at(state) + variable);
  }

  /** What a line says of its variable. */
  valueOf(line: number): Value {
    const known = this.#values[line];
    if (known !== undefined) return known;
    const text = unescapeDot(this.#reader.lines.textOf(line));
    const equals = text.indexOf(' = ');
    try {
      const value = parse(text.slice(equals + 3));
      this.#values[line] = value;
      return value;
    } catch (error) {
      if (!(error instanceof TlaSyntaxError)) throw error;
      throw new DotError(this.file, 0, 0, `"${text.slice(0, 80)}" is no value of a variable: ${error.message}`);
    }
  }

  stateAt(state: number): Map<string, Value> {
    return new Map(this.variables.map((name, index) => [name, this.valueOf(this.lineOf(state, index))]));
  }

  /** Numbers of the steps that lead out of a state; `stepAt` tells them. */
  stepsFrom(state: number): Int32Array {
    return this.#stepOrder.subarray(this.#firstStep[state]!, this.#firstStep[state + 1]!);
  }

  stepAt(step: number): GraphStep {
    return { from: this.#from.at(step), to: this.#to.at(step), action: this.actions[this.#action.at(step)]! };
  }

  targetOf(step: number): number {
    return this.#to.at(step);
  }

  actionOf(step: number): number {
    return this.#action.at(step);
  }

  #name(lines: Int32Array): void {
    const names = [...lines].map((line) => {
      const text = this.#reader.lines.textOf(line);
      const name = /^(\S.*?) = /.exec(text)?.[1];
      if (name !== undefined) return name;
      throw new DotError(this.file, 0, 0, `expected "variable = value" in a state, found "${text.slice(0, 80)}".`);
    });
    (this.variables as string[]).push(...names);
  }

  #firstMissing(): number {
    for (let number = 0; number < this.#reader.ids.size; number++) {
      if (number >= this.#rowOf.length || this.#rowOf.at(number) === -1) return number;
    }
    return -1;
  }

  /** Sorts the steps by the state that they lead from, in the order in which they came. */
  #index(): void {
    const first = new Int32Array(this.#states + 1);
    const from = this.#from.items();
    for (const state of from) first[state + 1]!++;
    for (let state = 0; state < this.#states; state++) first[state + 1]! += first[state]!;
    const next = first.slice();
    const order = new Int32Array(from.length);
    for (let step = 0; step < from.length; step++) order[next[from[step]!]!++] = step;
    this.#firstStep = first;
    this.#stepOrder = order;
  }
}

/** Reads a graph as it comes, from a file or a pipe. */
export async function readGraph(chunks: AsyncIterable<Uint8Array>, file: string): Promise<StateGraph> {
  const graph = new StateGraph(file);
  for await (const chunk of chunks) graph.push(chunk);
  return graph.finish();
}
