import type { Trace } from '../../trace/index.ts';
import type { TlcOutcome, ToolFailure } from '../outcome.ts';
import type { Finding } from './findings.ts';

/** Exceptions of Java that a specification does not cause by itself, when TLC has no behaviour to show for them. */
const SYSTEM_EXCEPTION = /^(?:java\.io\.|java\.nio\.|java\.rmi\.)/;
/** TLC wraps those of its own files, and their text begins with the class. */
const WRAPPED_EXCEPTION = /^java\.(?:io|nio|rmi)\.[\w.]*Exception\b/;
const DISK_FULL = /no space left on device|not enough space on the disk|disk quota exceeded/i;
const INTERNAL_EXCEPTION =
  /(?:NullPointer|ClassCast|IndexOutOfBounds|IllegalState|NoSuchMethod|NoClassDefFound)|Assertion/;

/**
 * A 1000 is any exception. With a trace it is the specification's fault, whatever the exit code (75 or 255); without
 * one the exception's class decides.
 */
export function generalOutcome(finding: Finding, text: string, trace: Trace | null): TlcOutcome {
  if (isOutOfMemory(finding)) return { kind: 'outOfMemory', message: exceptionText(text) };
  if (/^Depth-First Iterative Deepening mode does not support /.test(text))
    return { kind: 'usage', message: text.split('\n')[0]!, option: '-dfid' };
  const exception = /The exception was an? ([\w.$]+)/.exec(text)?.[1] ?? '';
  const message = exceptionText(text);
  if (trace === null && exception.endsWith('ConfigFileException'))
    return { kind: 'config', code: null, message, hint: null };
  if (trace === null && (SYSTEM_EXCEPTION.test(exception) || WRAPPED_EXCEPTION.test(message)))
    return systemFailure(message);
  if (trace === null && INTERNAL_EXCEPTION.test(exception)) return { kind: 'toolFailure', cause: 'tlcBug', message };
  return { kind: 'evaluation', code: finding.message.code, message, callStack: finding.callStack, trace };
}

/** What Java says on stderr when it could not write the modules that SANY then misses, or finds empty. */
export function writingFailure(stderr: string): TlcOutcome | null {
  const line = stderr.split(/\r?\n/).find((each) => DISK_FULL.test(each));
  return line === undefined ? null : systemFailure(line.trim());
}

/** Trouble with TLC's own files. */
export function systemFailure(message: string): ToolFailure {
  return { kind: 'toolFailure', cause: DISK_FULL.test(message) ? 'diskFull' : 'system', message };
}

/** TLC wraps a lack of memory like an error of the spec (1000, then 2147), and exits with 75 for it. */
export function isOutOfMemory(finding: Finding): boolean {
  const lines = [finding.message, ...finding.details].flatMap((message) => message.lines);
  return lines.some((line) =>
    /java\.lang\.OutOfMemoryError|^(?:: )?(?:Java heap space|GC overhead limit exceeded)$/.test(line),
  );
}

/** As TLC's own message 1005 explains it. */
const STACK_OVERFLOW = 'java.lang.StackOverflowError: probably a recursive definition without an end.';

const BOILERPLATE = [
  'TLC threw an unexpected exception.',
  'This was probably caused by an error in the spec or model.',
  'See the User Output or TLC Console for clues to what happened.',
];

/** Without TLC's preamble and Java's stack. */
function exceptionText(text: string): string {
  const lines = text.split('\n').filter((line) => !BOILERPLATE.includes(line.trim()) && !/^\s+at [\w.$]+\(/.test(line));
  if (lines.some((line) => line.trim() === 'java.lang.StackOverflowError')) return STACK_OVERFLOW;
  const head = /^The exception was an? ([\w.$]+)$/.exec(lines[0] ?? '');
  if (head === null) return lines.join('\n').trim();
  const rest = lines
    .slice(1)
    .join('\n')
    .replace(/^\s*: /, '')
    .trim();
  return rest === '' || rest === head[1] ? head[1]! : rest.startsWith(head[1]!) ? rest : withClass(head[1]!, rest);
}

/** A RuntimeException is TLC's way to say anything, and a ConfigFileException says it of the configuration; any other class says something itself. */
function withClass(exception: string, text: string): string {
  return /(?:^java\.lang\.Runtime|\.ConfigFile)Exception$/.test(exception) ? text : `${exception}: ${text}`;
}

/** A release that does not know a keyword takes it, and what follows, for names of the section before it. */
const LATER_KEYWORDS = ['ALIAS', 'POSTCONDITION', 'POSTCONDITIONS', '_POSSIBLE', '_RL_REWARD', '_PERIODIC'];

export function unknownKeywordHint(text: string, version: string | null): string | null {
  const name = /^The (?:\w+ ){1,3}(\w+) specified in the configuration file/.exec(text)?.[1];
  if (name === undefined || !LATER_KEYWORDS.includes(name)) return null;
  return `This jar${version === null ? '' : ` (TLC ${version})`} does not know the keyword ${name}; use a later release.`;
}
