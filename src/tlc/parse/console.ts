import { EC } from './messageCodes.ts';
import type { OutputEvent } from './messages.ts';

/**
 * What TLC prints without `-tool`: the same texts (tlaplus `MP.java`), without their codes. A text is known by its first words.
 * Coverage is not read, and codes that no verdict depends on are left out.
 */
const TEXTS: readonly (readonly [RegExp, code: number])[] = [
  [/^TLC2 Version /, EC.VERSION],
  [/^Running .*Simulation /, EC.MODE_SIMULATION],
  [/^Running (?:breadth|depth)-first search /, 2187],
  [/^Implied-temporal checking--/, 2212],
  [/^Checkpointing (?:of run|completed) /, 2195],
  [/^The average outdegree of the complete state graph is /, 2268],
  [/^Computing initial states\.\.\./, EC.COMPUTING_INIT],
  [/^Computed \S+ initial states\.\.\./, 2269],
  [/^The coverage statistics at /, EC.COVERAGE_START],
  [/^End of statistics/, 2202],
  [/^Finished computing initial states: \S+ states? generated, with/, 2191],
  [/^Finished computing initial states: /, 2190],
  [/^Progress\(/, 2200],
  [/^Progress: /, 2209],
  [/^Starting level \d+: /, 2206],
  [/^Checking .*temporal properties for /, EC.CHECKING_TEMPORAL],
  [/^Finished checking temporal properties /, EC.CHECKING_TEMPORAL_END],
  [/^Model checking completed\. No error has been found\./, EC.SUCCESS],
  [/^\S+ states generated, \S+ distinct states found, /, 2199],
  [/^\S+ states generated, \S+ distinct states found\.$/, EC.STATS_DFID],
  [/^The number of states generated: /, 2210],
  [/^Simulation using seed /, 2210],
  [/^The depth of the complete state graph search is /, 2194],
  [/^Finished in .* at \(/, EC.FINISHED],
];

const ERRORS: readonly (readonly [RegExp, code: number])[] = [
  [/^Invariant .* is violated by the initial state:/, EC.INVARIANT_VIOLATED_INITIAL],
  [/^Invariant .* is violated\./, 2110],
  [/^Property .* is violated by the initial state:/, EC.PROPERTY_VIOLATED_INITIAL],
  [/^Action property .* is violated\./, 2112],
  [/^Temporal propert(?:y|ies) /, 2116],
  [/^Deadlock reached\./, 2114],
  [/^Assumption .* is false\./, EC.ASSUMPTION_FALSE],
  [/^Postcondition .* is false\./, 2404],
  [/^The first argument of Assert evaluated to FALSE/, 2132],
  [/^Evaluating assumption .* failed/, 2105],
  [/^Evaluating invariant .* failed/, 2111],
  [/^Evaluating action property .* failed/, 2113],
  [/^State is not completely specified by the initial predicate/, EC.INCOMPLETE_INITIAL],
  [/^Successor state is not completely specified/, 2109],
  [/^The behavior up to this point is:/, EC.BEHAVIOR_UP_TO_THIS_POINT],
  [/^The following behavior constitutes a counter-example/, EC.COUNTER_EXAMPLE],
  [/^The error occurred when TLC was evaluating the nested/, EC.NESTED_EXPRESSION],
  [/^TLC was unable to fingerprint\./, EC.FINGERPRINT_EXCEPTION],
  [/^Parsing or semantic analysis failed\./, 3002],
  [/^TLC encountered the following error when trying to read the configuration file/, 5001],
  [/^TLC found an error in the configuration file/, 5002],
  [/ specified in the configuration file/, 2229],
  [/^The constant parameter .* is not assigned a value by the configuration file/, 2222],
  [/^(?:In t|T)he configuration file /, 2224],
  [/^No next state actions defined/, 2115],
  [/^The invariant .* is not a state predicate/, 2146],
  [/^The invariant .* is a constant-level formula/, 2149],
  [/^TLC requires .* not to take any argument/, 2228],
  [/^The \S+ of \S+ is equal to /, 2230],
  [/^The .* cannot be a constant\./, 2233],
  [/^The operator .* cannot take any argument\./, 2234],
  [/^The operator .* is not defined in the spec\./, 2235],
  [/^The operator .*, which equals /, 2236],
  [/^The spec is trivially false because /, 2237],
  [/^TLC cannot handle subscript /, 2238],
  [/^TLC cannot handle this conjunct of the spec:/, 2239],
  [/^The specification contains more than one conjunct of the form /, 2240],
  [/^The property .* is not correctly defined\./, 2241],
  [/^The arity of the operator .* is inconsistent /, 2242],
  [/^TLC can't handle real numbers\./, 2244],
  [/^Temporal formula is a tautology /, 2253],
  [/^Implied-temporal checking is a tautology\./, 2258],
  [/^The formula .* is an action-level formula /, 2272],
  [/^TLC does not support temporal existential, nor universal, /, 2301],
  [/^(?:Error: )?unrecognized option: /, 1102],
  [/^Java ran out of memory|^Out Of Memory\./, 1001],
  [/^This was a Java StackOverflowError/, 1005],
];

function codeOf(error: string): number | undefined {
  return ERRORS.find(([pattern]) => pattern.test(error))?.[1];
}

/** A depth-first search names no actions; nor does a dump of states (`-dump`), which are no behaviour. */
const STATE = /^State (\d+):(?: (.*))?$/;
const BACK = /^Back to state (\d+)(: .*)?$/;
const SANY = /^(?:Parsing file |Semantic processing of module )/;
const AFTER_SANY = /^Starting\.\.\. \(/;
/** What TLC says of an initial state it says with the state, under a code of its own. */
const OF_INITIAL_STATE = 'While working on the initial state:';

/** That a line belongs to such an output, when nothing before it told. */
export function looksLikeConsole(line: string): boolean {
  return /^TLC2 Version |^State 1: </.test(line) || (line.startsWith('Error: ') && codeOf(line.slice(7)) !== undefined);
}

/** Lines of a console to the messages that `-tool` would have made of them. */
export class ConsoleReader {
  readonly #emit: (event: OutputEvent) => void;
  #open: { readonly code: number; readonly severity: number; readonly lines: string[] } | null = null;
  #inSany = false;
  #showsBehavior = false;

  constructor(emit: (event: OutputEvent) => void) {
    this.#emit = emit;
  }

  line(line: string): void {
    const state = STATE.exec(line);
    const back = BACK.exec(line);
    const error = /^(Error|Warning): (.*)$/.exec(line);
    const text = TEXTS.find(([pattern]) => pattern.test(line));
    if (state !== null && (state[2] !== undefined || this.#showsBehavior))
      this.#start(state[2] === 'Stuttering' ? EC.STUTTERING : EC.STATE, 4, `${state[1]}: ${state[2] ?? ''}`);
    else if (back !== null) this.#start(EC.BACK_TO_STATE, 4, `${back[1]}: Back to state${back[2] ?? ''}`);
    else if (error?.[1] === 'Error') this.#error(error[2]!);
    else if (error !== null) this.#start(0, 3, error[2]!);
    else if (text !== undefined) {
      this.#start(text[1], 0, line);
      // Lines of more follow these only.
      if (text[1] !== EC.SUCCESS && text[1] !== EC.COVERAGE_START) this.#close();
    } else this.#other(line);
  }

  /** The output is over. */
  end(): void {
    this.#close();
  }

  #error(text: string): void {
    const code = codeOf(text) ?? EC.GENERAL;
    this.#showsBehavior ||= code === EC.BEHAVIOR_UP_TO_THIS_POINT || code === EC.COUNTER_EXAMPLE;
    if (code === 3002) this.#leaveSany();
    this.#start(code, 1, text);
  }

  #other(line: string): void {
    if (SANY.test(line) && !this.#inSany) {
      this.#inSany = true;
      this.#message(EC.SANY_START);
    }
    if (AFTER_SANY.test(line)) this.#leaveSany();
    else if (this.#open?.code === EC.FINGERPRINT_EXCEPTION) this.#open.lines.push(line);
    else if (this.#open !== null && line.trim() === '') this.#close();
    else if (this.#open !== null && !this.#inSany) this.#open.lines.push(line);
    else this.#emit({ kind: 'text', line });
  }

  #leaveSany(): void {
    if (this.#inSany) this.#message(EC.SANY_END);
    this.#inSany = false;
  }

  #message(code: number): void {
    this.#start(code, 0, '');
    this.#close();
  }

  #start(code: number, severity: number, line: string): void {
    this.#close();
    this.#open = { code, severity, lines: [line] };
  }

  #close(): void {
    if (this.#open === null) return;
    const { lines, severity } = this.#open;
    const ofInitialState = this.#open.code === EC.GENERAL && lines.includes(OF_INITIAL_STATE);
    const code = ofInitialState ? EC.INITIAL_STATE : this.#open.code;
    this.#open = null;
    this.#emit({ kind: 'message', message: { code, severity, lines, depth: 0, holdsMessage: false, complete: true } });
  }
}
