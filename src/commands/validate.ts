import { findJava } from '../tlc/index.ts';
import { LogError, ProfileMixError, type RunLog, readLog, type Validation, validate } from '../validate/index.ts';
import { needJar } from './check.ts';
import { readText } from './input.ts';
import { AS_CLAIMED, COULD_NOT_TELL, type Io, NOT_AS_CLAIMED, printJson, UsageError } from './io.ts';
import { checkProfile } from './profile.ts';
import { startProgress } from './progress.ts';
import { plural, seconds } from './show.ts';
import { plainValidation, validationLines } from './validateText.ts';

export interface ValidateCommand {
  readonly profile?: string;
  readonly slack: number;
  readonly json?: boolean;
}

/** `leader-epoch validate <log>`: whether what a running system logged is a behaviour of the specification. */
export async function validateLog(file: string, options: ValidateCommand, io: Io): Promise<number> {
  const log = await readLogFile(file, options);
  const java = await findJava({ env: io.env });
  if (!java.ok) throw new UsageError(java.message);
  await needJar(io);
  const started = performance.now();
  const quiet: Io = options.json === true ? { ...io, isTerminal: false, out: () => {} } : io;
  const of = plural(log.events.length, 'event');
  const progress = await startProgress(quiet, `TLC reads ${of}`);
  const result = await settled(log, options, io, (matched) => progress.update(`${matched} of ${of} explained`)).finally(
    () => progress.stop(),
  );
  const exitCode = exitCodeOf(result);
  if (options.json === true) printJson(io, 'validate', exitCode, { file, ...plainValidation(result, log) });
  else for (const line of validationLines(file, result, log, io)) io.out(line);
  if (options.json !== true && result.kind !== 'couldNotTell') io.out(`In ${seconds(performance.now() - started)}.`);
  return exitCode;
}

async function readLogFile(file: string, { profile }: ValidateCommand): Promise<RunLog> {
  const text = await readText(file, `There is no log ${file}. docs/conformance.md tells what is in one.`);
  try {
    const log = readLog(text, file);
    const { config } = log.header;
    for (const name of new Set(profile === undefined ? Object.values(config.profileOf) : [profile])) checkProfile(name);
    if (profile === undefined) return log;
    const profileOf = Object.fromEntries(config.replicas.map((id) => [id, profile]));
    return { ...log, header: { ...log.header, config: { ...config, profileOf } } };
  } catch (error) {
    if (error instanceof LogError) throw new UsageError(error.message);
    throw error;
  }
}

async function settled(
  log: RunLog,
  { slack }: ValidateCommand,
  io: Io,
  onProgress: (matched: number) => void,
): Promise<Validation> {
  try {
    return await validate(log, { slack, onProgress, env: io.env, signal: io.signal });
  } catch (error) {
    if (error instanceof ProfileMixError) throw new UsageError(error.message);
    throw error;
  }
}

function exitCodeOf({ kind }: Validation): number {
  if (kind === 'conforms') return AS_CLAIMED;
  return kind === 'differs' ? NOT_AS_CLAIMED : COULD_NOT_TELL;
}
