import type { TlcOutcome, ToolFailureCause } from '../outcome.ts';

/** How the process ended. Both null: unknown, only its output is at hand. */
export interface Exit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** Shells and the JVM turn death by a signal into 128 + its number. */
const SIGNALS: Readonly<Record<number, string>> = { 129: 'SIGHUP', 130: 'SIGINT', 137: 'SIGKILL', 143: 'SIGTERM' };

/** Texts of the JVM and its launcher, which come on stdout or on stderr, depending on the fault. */
const TEXTS: readonly (readonly [RegExp, (message: string) => TlcOutcome])[] = [
  [
    /Could not find or load main class|Unable to access jarfile|Invalid or corrupt jarfile/,
    (message) => ({ kind: 'badJar', problem: 'noTlc', message }),
  ],
  [
    /could not make a directory .*for the disk files|writes its files to a directory wh(?:ose|ich) name is generated/,
    (message) => failure('metadir', message.replace(/^Exception in thread "main" [\w.$]+: /, '')),
  ],
  [/No space left on device/, (message) => failure('diskFull', message)],
  [/UnsupportedClassVersionError/, (message) => ({ kind: 'missingJava', problem: 'tooOld', message })],
  [/insufficient memory for the Java Runtime|OutOfMemoryError/, (message) => ({ kind: 'outOfMemory', message })],
  [/A fatal error has been detected by the Java Runtime/, (message) => failure('jvmCrash', message)],
  [
    /Error occurred during initialization of VM|Could not create the Java Virtual Machine/,
    (message) => failure('jvmStart', message),
  ],
];

/**
 * The outcome of a run whose output has neither an error of TLC's nor an end: it was stopped, or Java itself failed.
 * `texts`: lines outside of messages, and stderr.
 */
export function outcomeWithoutEnd(texts: readonly string[], exit: Exit): TlcOutcome {
  const signal = exit.signal ?? SIGNALS[exit.exitCode ?? 0] ?? null;
  if (signal === 'SIGKILL') {
    return failure('killed', 'Java was killed (SIGKILL); when nobody did that, the system was short of memory.');
  }
  if (signal === 'SIGINT' || signal === 'SIGTERM' || signal === 'SIGHUP')
    return { kind: 'cancelled', by: 'signal', signal };
  for (const [pattern, outcome] of TEXTS) if (texts.some((line) => pattern.test(line))) return outcome(excerpt(texts));
  if (signal !== null) return failure('jvmCrash', `Java ended by ${signal}.`);
  const said = excerpt(texts);
  const ending = exit.exitCode === null ? '' : ` (exit code ${exit.exitCode})`;
  return failure('incompleteOutput', `The output of TLC has no end${ending}${said === '' ? '.' : `: ${said}`}`);
}

/** The first lines that say something; stack traces and TLC's own markers do not. */
function excerpt(texts: readonly string[]): string {
  return texts
    .map((line) => line.replace(/@!@!@STARTMSG \S+ @!@!@|@!@!@ENDMSG \S+ @!@!@/g, '').trim())
    .filter((line) => line !== '' && line !== '#' && !/^(at |Picked up |Usage: )/.test(line))
    .slice(0, 4)
    .join(' ');
}

function failure(cause: ToolFailureCause, message: string): TlcOutcome {
  return { kind: 'toolFailure', cause, message };
}
