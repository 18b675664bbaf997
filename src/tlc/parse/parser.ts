import { StateReader } from '../../tla/index.ts';
import type { TlcOutcome, TlcProgress, TlcReport, TlcStatistics, TlcWarning } from '../outcome.ts';
import { ConsoleReader, looksLikeConsole } from './console.ts';
import { readCollision, readCounts, readDepth, readDurationMs, readInitialStates } from './counts.ts';
import { type CoverageItem, parseCoverage } from './coverage.ts';
import { FindingCollector } from './findings.ts';
import { writingFailure } from './general.ts';
import { LineSplitter } from './lines.ts';
import { EC, type MessageRole, roleOf } from './messageCodes.ts';
import { type Message, MessageReader, type OutputEvent } from './messages.ts';
import { parseSany, type SanyReport } from './sany.ts';
import { type Exit, outcomeWithoutEnd } from './startup.ts';
import { NO_FAIRNESS, outcomeOf } from './verdict.ts';

export interface ParserOptions {
  readonly onProgress?: (progress: TlcProgress) => void;
  /** Lines that a spec prints, to keep; default 10,000. */
  readonly maxUserOutputLines?: number;
  /** The configuration gives INIT and NEXT, so there is no fairness; without it, only the output can tell. */
  readonly initNext?: boolean;
}

/**
 * Reads TLC's output as it comes, with `-tool` or (less exactly) without: `push` chunks in order, then `finish` once. Throws on
 * no output whatever.
 */
export class TlcOutputParser {
  readonly #options: ParserOptions;
  readonly #reader = new MessageReader((event) => this.#event(event));
  readonly #lines = new LineSplitter((line) => this.#line(line));
  /** Set when the output turns out to be one without `-tool`. */
  #console: ConsoleReader | null = null;
  #isTool = false;
  readonly #collector = new FindingCollector();
  readonly #userOutput: string[] = [];
  #userOutputDropped = 0;
  /** Lines before TLC's first message: the JVM's, when it does not come up. */
  readonly #preface: string[] = [];
  readonly #sanyLines: string[] = [];
  readonly #warnings: TlcWarning[] = [];
  #coverage: CoverageItem[] = [];
  #statistics: TlcStatistics = { generated: null, distinct: null, queueLeft: null, depth: null, initial: null };
  #phase: TlcProgress['phase'] = 'starting';
  #sawMessage = false;
  #inSany = false;
  #saysSuccess = false;
  #bounded = false;
  #finished = false;
  #version: string | null = null;
  #durationMs: number | null = null;
  #collisionProbability: number | null = null;
  #fairnessHint: string | null = null;

  constructor(options: ParserOptions = {}) {
    this.#options = options;
  }

  push(chunk: Uint8Array | string): void {
    this.#lines.push(chunk);
  }

  /** `stopped`: why the caller ended the run. That is the outcome then, unless TLC had come to its own end before. */
  finish(
    exit: Exit,
    { stderr = '', stopped = null }: { stderr?: string; stopped?: TlcOutcome | null } = {},
  ): TlcReport {
    this.#lines.end();
    this.#reader.end();
    this.#console?.end();
    const sany = parseSany(this.#sanyLines);
    const found = this.#outcomes(sany);
    const outcomes = stopped !== null && !this.#finished ? [stopped, ...found] : found;
    const told = outcomes[0] ?? this.#outcomeWithoutFinding(exit, stderr);
    const outcome = told.kind === 'parse' ? (writingFailure(stderr) ?? told) : told;
    return {
      outcome,
      further: outcomes.slice(1),
      statistics: this.#statistics,
      tlcVersion: this.#version,
      collisionProbability: this.#collisionProbability,
      durationMs: this.#durationMs,
      exitCode: exit.exitCode,
      userOutput: this.#userOutput,
      userOutputDropped: this.#userOutputDropped,
      warnings: [
        ...sany.warnings.map((warning) => ({ code: null, message: warning.message })),
        ...this.#allWarnings(outcome),
      ],
      coverage: this.#coverage,
    };
  }

  /** Only errors whose text and trace are whole: the last one may have been cut off. */
  #outcomes(sany: SanyReport): TlcOutcome[] {
    const fairnessHint = this.#fairnessHint ?? (this.#options.initNext === true ? NO_FAIRNESS : null);
    const reader = new StateReader();
    const context = { specErrors: sany.errors, fairnessHint, tlcVersion: this.#version, reader };
    return this.#collector.findings
      .filter((finding) => finding.message.complete && (this.#finished || finding.closed || finding.role === 'usage'))
      .map((finding) => outcomeOf(finding, context));
  }

  #outcomeWithoutFinding(exit: Exit, stderr: string): TlcOutcome {
    const texts = [...this.#preface, ...stderr.split(/\r?\n/)];
    if (!this.#finished)
      return outcomeWithoutEnd(this.#sawMessage ? [...texts, ...this.#userOutput.slice(-20)] : texts, exit);
    if (this.#saysSuccess || this.#bounded) {
      if (exit.exitCode === null || exit.exitCode === 0)
        return { kind: 'success', exhaustive: this.#saysSuccess && !this.#hasLeftStates() };
    }
    const message = `TLC finished with exit code ${exit.exitCode ?? 'unknown'} and reported neither success nor an error.`;
    return { kind: 'toolFailure', cause: 'unknown', message };
  }

  /** TLC says "No error has been found" also when it was told to stop (`TLCSet("exit", TRUE)`, `tlc2.TLC.stopAfter`). */
  #hasLeftStates(): boolean {
    return (this.#statistics.queueLeft ?? 0) > 0;
  }

  #allWarnings(outcome: TlcOutcome): TlcWarning[] {
    if (outcome.kind !== 'success') return this.#warnings;
    const own = (message: string): TlcWarning[] => [...this.#warnings, { code: null, message }];
    if (this.#statistics.initial === 0)
      return own('No state satisfies the initial predicate: every property holds, of nothing.');
    if (this.#saysSuccess && this.#hasLeftStates())
      return own(`TLC stopped before its end: it had still to look at ${this.#statistics.queueLeft} of its states.`);
    return this.#warnings;
  }

  #line(line: string): void {
    this.#isTool ||= line.includes('@!@!@STARTMSG ');
    if (this.#console === null && !this.#isTool && looksLikeConsole(line))
      this.#console = new ConsoleReader((event) => this.#event(event));
    (this.#console ?? this.#reader).line(line);
  }

  #event(event: OutputEvent): void {
    if (event.kind === 'message') this.#message(event.message);
    else if (!this.#sawMessage) this.#preface.push(event.line);
    else if (this.#inSany) this.#sanyLines.push(event.line);
    else if (event.line.trim() === '' || OWN_LINE.test(event.line)) return;
    else if (this.#userOutput.length < (this.#options.maxUserOutputLines ?? 10_000)) this.#userOutput.push(event.line);
    else this.#userOutputDropped++;
  }

  #message(message: Message): void {
    this.#sawMessage = true;
    const role = roleOf(message.code);
    this.#collector.add(message);
    if (!message.complete || role === 'state') return;
    const text = message.lines.join('\n').trim();
    if (message.severity === 3) this.#warnings.push({ code: message.code, message: text });
    this.#note(message.code, text);
    this.#count(role, message, text);
    this.#progress(message.code, role);
  }

  #note(code: number, text: string): void {
    if (code === EC.VERSION) this.#version = /Version (\S+)/.exec(text)?.[1] ?? text;
    else if (code === EC.SANY_START) this.#inSany = true;
    else if (code === EC.SANY_END) this.#inSany = false;
    else if (code === EC.SUCCESS) {
      this.#saysSuccess = true;
      this.#collisionProbability = readCollision(text);
    } else if (code === EC.MODE_SIMULATION || code === EC.STATS_DFID) this.#bounded = true;
    else if (code === EC.NO_SPEC_BUT_PROPERTY || code === EC.NO_FAIRNESS_BUT_LIVENESS) this.#fairnessHint = text;
    else if (code === EC.FINISHED) {
      this.#finished = true;
      this.#durationMs = readDurationMs(text);
    }
  }

  #count(role: MessageRole | undefined, message: Message, text: string): void {
    const old = this.#statistics;
    if (role === 'counts') {
      const { generated, distinct, queueLeft } = readCounts(text);
      this.#statistics = {
        ...old,
        generated: generated ?? old.generated,
        distinct: distinct ?? old.distinct,
        queueLeft: queueLeft ?? old.queueLeft,
        depth: readDepth(text) ?? old.depth,
      };
    } else if (role === 'initial') this.#statistics = { ...old, initial: readInitialStates(text) };
    else if (message.code === EC.COVERAGE_START) this.#coverage = [];
    else if (role === 'coverage') {
      const item = parseCoverage(message);
      if (item !== null) this.#coverage.push(item);
    }
  }

  #progress(code: number, role: MessageRole | undefined): void {
    const phase = PHASES[code] ?? (role === 'initial' ? 'searching' : this.#phase);
    if (phase === this.#phase && role !== 'counts') return;
    this.#phase = phase;
    this.#options.onProgress?.({ phase, statistics: this.#statistics });
  }
}

/** What TLC prints of its own outside of messages. */
const OWN_LINE = /^"?CounterExample written: /;

const PHASES: Readonly<Record<number, TlcProgress['phase']>> = {
  [EC.SANY_START]: 'parsing',
  [EC.COMPUTING_INIT]: 'initialStates',
  [EC.CHECKING_TEMPORAL]: 'liveness',
  [EC.CHECKING_TEMPORAL_END]: 'searching',
  [EC.BEHAVIOR_UP_TO_THIS_POINT]: 'trace',
  [EC.COUNTER_EXAMPLE]: 'trace',
  [EC.FINISHED]: 'finished',
};

/**
 * Parses the whole output of a run, from a file say. `exitCode` null: unknown, then the output alone decides,
 * and it can, except where it has no end. `stderr` helps to tell what kept Java from starting.
 */
export function parseTlcOutput(
  output: Uint8Array | string,
  exitCode: number | null,
  options: ParserOptions & { readonly stderr?: string } = {},
): TlcReport {
  const parser = new TlcOutputParser(options);
  parser.push(output);
  return parser.finish({ exitCode, signal: null }, { stderr: options.stderr ?? '' });
}
