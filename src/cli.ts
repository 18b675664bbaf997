import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { beyond, check, claims, record } from './commandLine/claims.ts';
import { cluster, simulate } from './commandLine/clusters.ts';
import { report as reportError } from './commandLine/errors.ts';
import { fresh, jobs, json, type Line } from './commandLine/line.ts';
import { report, serve } from './commandLine/page.ts';
import { conform, explore, fuzz, kafka } from './commandLine/systems.ts';
import { doctor, tlc } from './commandLine/tools.ts';
import { convert, replay, shrink, validate } from './commandLine/traces.ts';
import { type Io, UsageError } from './commands/io.ts';

/** In the order of `--help`. */
const COMMANDS = [
  ...[check, beyond, replay, conform, explore, validate, shrink, record, fuzz, kafka],
  ...[report, serve, simulate, cluster, claims, tlc, convert, doctor],
];

/** Runs a command line and returns its exit code: 0 as claimed, 1 not as claimed, 2 could not tell. Never throws. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  let exitCode = 0;
  const done = (code: number): void => {
    exitCode = code;
  };
  try {
    await commandLine(io, done).parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    return reportError(error, io, argv);
  }
}

function commandLine(io: Io, done: Line['done']): Command {
  const program = new Command('leader-epoch')
    .description(
      "A formal companion for Kafka's leader epochs. Without a command: checks the main claims with TLC, replays every " +
        'counterexample on the implementation, and tells how Kafka lost an acknowledged record.',
    )
    .configureOutput({ writeOut: (text) => io.out(text.trimEnd()), writeErr: (text) => io.err(text.trimEnd()) })
    .showHelpAfterError('(--help shows the usage)')
    .exitOverride()
    .version(packageVersion(), '--version', 'the version of leader-epoch')
    .usage('[command] [options]')
    .argument('[command]')
    .addOption(fresh())
    .addOption(json())
    .addOption(jobs())
    .addHelpText('after', EXAMPLES)
    .action(async (unknown: string | undefined, options) => {
      if (unknown !== undefined) throw new UsageError(await noSuchCommand(unknown, program));
      const { mainJob } = await import('./commands/mainJob.ts');
      done(await mainJob(options, io));
    });
  for (const declare of COMMANDS) declare({ program, io, done });
  for (const command of program.commands) command.exitOverride();
  return program;
}

const EXAMPLES = `
Examples:
  leader-epoch                                   the main job
  leader-epoch check                             all quick claims
  leader-epoch check fast-leader-change --fresh  one claim, checked anew
  leader-epoch replay traces/*.itf.json          every recorded counterexample
  leader-epoch replay traces/fast-restart-told.itf.json --profile Kip101

Exit codes: 0 as claimed, 1 not as claimed, 2 could not tell (usage, missing Java, tool failure).`;

function packageVersion(): string {
  return (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }).version;
}

async function noSuchCommand(name: string, program: Command): Promise<string> {
  const { didYouMean } = await import('./claims/index.ts');
  const names = program.commands.map((command) => command.name());
  const near = didYouMean(name, names);
  return `There is no command "${name}".${near} There are ${names.join(', ')}; without one, the main job runs.`;
}
