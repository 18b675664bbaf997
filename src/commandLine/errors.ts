import { tmpdir } from 'node:os';
import { CommanderError } from 'commander';
import { COULD_NOT_TELL, type Io, printJson } from '../commands/io.ts';

/** Errors whose message is all that a user needs; by name, for loading their classes would load the commands. */
const FOR_PEOPLE: ReadonlySet<string> = new Set([
  ...['UsageError', 'ClaimsError', 'ConfigError', 'ReplayProblem', 'ItfError', 'UnknownSystem', 'KafkaClassesError'],
  ...['ProcessError', 'BrokerError', 'StorageError', 'TcpError', 'DotError', 'ModelError', 'CannotRestore'],
  ...['FileError', 'CheckpointError'],
]);

/** Each command makes its temporary folder itself: where there is no place for one, that is no mistake of the program. */
function isOfTemporary(error: Error): boolean {
  return (error as NodeJS.ErrnoException).syscall === 'mkdtemp';
}

function wordsOf(error: Error): string {
  if (!isOfTemporary(error)) return error.message;
  const { code } = error as NodeJS.ErrnoException;
  return `No temporary folder can be made in ${tmpdir()} (${code}): set TMPDIR to a folder that takes files.`;
}

/** Says what went wrong, for people, never as a stack; returns the exit code. */
export function report(error: unknown, io: Io, argv: readonly string[]): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  // Whoever reads JSON gets JSON, also of a mistake in the command line.
  if (argv.includes('--json')) {
    const message = error instanceof Error ? wordsOf(error).replace(/^error: /, '') : String(error);
    printJson(io, argv.find((word) => !word.startsWith('-')) ?? 'main', COULD_NOT_TELL, { error: message });
  }
  if (error instanceof CommanderError) return COULD_NOT_TELL;
  if (error instanceof Error && (FOR_PEOPLE.has(error.name) || isOfTemporary(error))) {
    io.err(wordsOf(error));
    return COULD_NOT_TELL;
  }
  const text = error instanceof Error ? error.message : String(error);
  io.err(`A mistake in leader-epoch itself: ${text}. Set LEADER_EPOCH_DEBUG=1 to see where.`);
  if (io.env.LEADER_EPOCH_DEBUG && error instanceof Error) io.err(error.stack ?? '');
  return COULD_NOT_TELL;
}
