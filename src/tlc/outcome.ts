import type { ActionTaken, State, Trace } from '../trace/index.ts';
import type { CoverageItem } from './parse/coverage.ts';
import type { SourceRange } from './parse/location.ts';
import type { SpecError } from './parse/sany.ts';

/**
 * What a run of TLC came to. Nothing here is an exception: a violated invariant, a missing Java and a time-out are all
 * answers. An exit code alone decides none of them: TLC's 13 is two kinds of violation, its 75 may be a lack of memory.
 */
export type TlcOutcome =
  | Success
  /**
   * A state breaks an invariant. `initial`: the first state already does (TLC then prints no trace but that state).
   * `location`: where the formula stands, if it has no name (a conjunct of a PROPERTY); `name` is the text of that then.
   */
  | {
      readonly kind: 'invariant';
      readonly name: string;
      readonly location?: SourceRange;
      readonly initial: boolean;
      readonly trace: Trace;
    }
  /** A step breaks `[][A]_v`, or (`initial`) a first state breaks the state predicate of a PROPERTY: a finite trace. */
  | {
      readonly kind: 'actionProperty';
      readonly name: string;
      readonly location?: SourceRange;
      readonly initial: boolean;
      readonly trace: Trace;
    }
  | TemporalViolation
  | { readonly kind: 'deadlock'; readonly trace: Trace }
  /** An ASSUME (or a POSTCONDITION) that is false. */
  | { readonly kind: 'assumption'; readonly message: string; readonly location: SourceRange | null }
  /** `Assert(FALSE, message)`. */
  | ({ readonly kind: 'assertion' } & EvaluationDetails)
  /** An expression without a value, also where TLC exits with 255: with a trace that is the spec's error, not the tool's. */
  | ({ readonly kind: 'evaluation'; readonly code: number } & EvaluationDetails)
  /** An action (or the initial predicate: then `trace` is null) leaves `variables` without a value. */
  | {
      readonly kind: 'incompleteNext';
      readonly message: string;
      readonly variables: readonly string[];
      /** The states before. */
      readonly trace: Trace | null;
      /** The state that it leads to, without those variables; null when TLC does not show it. */
      readonly partialState: State | null;
      readonly action: ActionTaken | null;
    }
  /** The specification has errors. At least one. */
  | { readonly kind: 'parse'; readonly errors: readonly SpecError[] }
  /** The configuration file is missing or wrong. `code`: TLC's, null when this wrapper found it. */
  | { readonly kind: 'config'; readonly code: number | null; readonly message: string; readonly hint: string | null }
  /** TLC rejects an option. `option`: the one that this jar does not know, or that does not go with this specification. */
  | { readonly kind: 'usage'; readonly message: string; readonly option: string | null }
  | { readonly kind: 'outOfMemory'; readonly message: string }
  | ToolFailure
  | { readonly kind: 'timeout'; readonly timeoutMs: number }
  /** Stopped from outside: by an AbortSignal, by a signal to this process, or by one that somebody sent to Java. */
  | { readonly kind: 'cancelled'; readonly by: 'abort' | 'signal'; readonly signal: string | null }
  | { readonly kind: 'missingJava'; readonly problem: 'missing' | 'tooOld' | 'broken'; readonly message: string }
  | { readonly kind: 'badJar'; readonly problem: JarProblemKind; readonly message: string };

/**
 * No error was found. `exhaustive` is false for a simulation, a bounded depth-first search (`-dfid`) or one that was told to stop
 * (`TLCSet("exit", TRUE)`), where that says nothing about the states that were not visited.
 */
export interface Success {
  readonly kind: 'success';
  readonly exhaustive: boolean;
}

export interface TemporalViolation {
  readonly kind: 'temporal';
  /** Null with releases that do not say which property ("Temporal properties were violated."). */
  readonly names: readonly string[] | null;
  /**
   * Has a `loop`, and its `loopAction` if TLC names it; a loop to its own last state is stuttering for ever. Later releases also
   * show a behaviour without a loop: then it breaks the property whatever comes after it.
   */
  readonly trace: Trace;
  /** Set when the counterexample is probably a lack of fairness. */
  readonly hint: string | null;
}

export interface EvaluationDetails {
  readonly message: string;
  /** Outermost expression first. */
  readonly callStack: readonly SourceRange[];
  readonly trace: Trace | null;
}

export interface ToolFailure {
  readonly kind: 'toolFailure';
  readonly cause: ToolFailureCause;
  readonly message: string;
}

export type ToolFailureCause =
  /** The JVM did not come up (heap too small, unknown JVM option). */
  | 'jvmStart'
  | 'jvmCrash'
  /** By a signal that nobody here sent, such as the kernel's SIGKILL for lack of memory. */
  | 'killed'
  /** The output stops before its end, so whatever it said so far is no verdict. */
  | 'incompleteOutput'
  /** A violation whose trace this parser cannot read. */
  | 'unreadableTrace'
  | 'tlcBug'
  /** TLC's folder for its own files exists already (two runs in the same second), or cannot be made. */
  | 'metadir'
  | 'diskFull'
  /** Any other trouble with files. */
  | 'system'
  | 'unknown';

export type JarProblemKind = 'missing' | 'notAJar' | 'noTlc' | 'checksum' | 'download';

/** Null: TLC did not say. */
export interface TlcStatistics {
  /** States computed, with repetitions. */
  readonly generated: number | null;
  readonly distinct: number | null;
  readonly queueLeft: number | null;
  /** Levels of the search; initial states are level 1. */
  readonly depth: number | null;
  /** Distinct initial states. */
  readonly initial: number | null;
}

export interface TlcWarning {
  /** TLC's message code; null for a warning of SANY or of this wrapper. */
  readonly code: number | null;
  readonly message: string;
}

export interface TlcReport {
  readonly outcome: TlcOutcome;
  /** What else was found, in TLC's order, at most a hundred: of a run that goes on after an error, or was stopped. */
  readonly further: readonly TlcOutcome[];
  readonly statistics: TlcStatistics;
  /** As TLC calls itself, such as "2.18"; no test of what it can do. */
  readonly tlcVersion: string | null;
  /** How likely it is that two states had one fingerprint, so that TLC missed some: the larger of its two estimates. */
  readonly collisionProbability: number | null;
  /** TLC's own measure ("Finished in"), or of the whole run from `runTlc`. */
  readonly durationMs: number | null;
  readonly exitCode: number | null;
  /** Lines that the spec printed, in order; those printed while TLC rebuilds a trace come again. */
  readonly userOutput: readonly string[];
  /** How many more lines there were than were kept. */
  readonly userOutputDropped: number;
  readonly warnings: readonly TlcWarning[];
  /** The last coverage report. */
  readonly coverage: readonly CoverageItem[];
}

export interface TlcProgress {
  readonly phase: 'starting' | 'parsing' | 'initialStates' | 'searching' | 'liveness' | 'trace' | 'finished';
  readonly statistics: TlcStatistics;
}
