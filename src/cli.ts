import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { COULD_NOT_TELL, type Io, printJson, UsageError } from './commands/io.ts';

/** Runs a command line and returns its exit code: 0 as claimed, 1 not as claimed, 2 could not tell. Never throws. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  let exitCode = 0;
  const program = commandLine(io, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    return report(error, io, argv);
  }
}

/** Errors whose message is all that a user needs; by name, for loading their classes would load the commands. */
const FOR_PEOPLE: ReadonlySet<string> = new Set([
  ...['UsageError', 'ClaimsError', 'ConfigError', 'ReplayProblem', 'ItfError'],
  ...[
    'UnknownSystem',
    'KafkaClassesError',
    'ProcessError',
    'BrokerError',
    'StorageError',
    'TcpError',
    'DotError',
    'ModelError',
  ],
]);

/** A message for people, never a stack. */
function report(error: unknown, io: Io, argv: readonly string[]): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  // Whoever reads JSON gets JSON, also of a mistake in the command line.
  if (argv.includes('--json')) {
    const message = error instanceof Error ? error.message.replace(/^error: /, '') : String(error);
    printJson(io, argv.find((word) => !word.startsWith('-')) ?? 'main', COULD_NOT_TELL, { error: message });
  }
  if (error instanceof CommanderError) return COULD_NOT_TELL;
  if (error instanceof Error && FOR_PEOPLE.has(error.name)) {
    io.err(error.message);
    return COULD_NOT_TELL;
  }
  const text = error instanceof Error ? error.message : String(error);
  io.err(`A mistake in leader-epoch itself: ${text}. Set LEADER_EPOCH_DEBUG=1 to see where.`);
  if (io.env.LEADER_EPOCH_DEBUG && error instanceof Error) io.err(error.stack ?? '');
  return COULD_NOT_TELL;
}

/** Commands are loaded when they are called: starting up is something people feel. */
function commandLine(io: Io, done: (exitCode: number) => void): Command {
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
    .option('--fresh', 'never from an outcome that was kept')
    .option('--json', 'one JSON document instead of text')
    .option('--jobs <n>', 'model checks at a time', count, defaultJobs())
    .action(async (unknown: string | undefined, options) => {
      if (unknown !== undefined) throw new UsageError(noSuchCommand(unknown, program));
      const { mainJob } = await import('./commands/mainJob.ts');
      done(await mainJob(options, io));
    });
  program.addHelpText(
    'after',
    `
Examples:
  leader-epoch                                   the main job
  leader-epoch check                             all quick claims
  leader-epoch check fast-leader-change --fresh  one claim, checked anew
  leader-epoch replay traces/*.itf.json          every recorded counterexample
  leader-epoch replay traces/fast-restart-told.itf.json --profile Kip101

Exit codes: 0 as claimed, 1 not as claimed, 2 could not tell (usage, missing Java, tool failure).`,
  );
  // Options of the program come back under each command, for they may stand on either side of its name.
  const all = <T>(command: Command) => command.optsWithGlobals() as T;

  program
    .command('check')
    .description('let TLC settle claims; without names, all that are quick')
    .argument('[claims...]', 'names, as `leader-epoch claims` lists them')
    .option('--deep', 'the deep ones too')
    .option('--fresh', 'never from an outcome that was kept')
    .option('--timeout <seconds>', 'stop a model check that takes longer', count)
    .option('--jobs <n>', 'model checks at a time', count, defaultJobs())
    .option('--junit <file>', 'write the verdicts as JUnit XML, too')
    .option('--distributed', "by TLC's distributed mode: a server, and workers")
    .option('--workers <n>', 'distributed: workers on this machine (default: 2)', wholeNumber)
    .option('--listen <address>', 'distributed: an address of this machine, for workers of others (default: 127.0.0.1)')
    .option('--port <n>', 'distributed: where the server listens (default: any that is free)', port)
    .option('--json', 'one JSON document instead of text')
    .addHelpText('after', '\nExample:\n  leader-epoch check fast-restart-loss kip320-clean')
    .action(async (names, _options, command) => {
      const { check } = await import('./commands/check.ts');
      done(await check(names, all(command), io));
    });
  program
    .command('beyond')
    .description('try claims in other bounds than their own, as recorded in spec/beyond.json; without names, all')
    .argument('[claims...]', 'names, as `leader-epoch claims` lists them')
    .option(
      '--try <kinds...>',
      'itself; smaller, larger (the next bounds); three (3 replicas, 3 elections, 2 crashes); simulated (the same, at random); lazy (lazy checkpoints)',
    )
    .option('--limit <n>', 'stop after so many distinct states, or simulated behaviours', count)
    .option('--timeout <seconds>', 'give up on a run that takes longer', count)
    .option('--write', 'record what is found')
    .option('--jobs <n>', 'model checks at a time', count, defaultJobs())
    .option('--json', 'one JSON document instead of text')
    .addHelpText('after', '\nExample:\n  leader-epoch beyond kip320-clean --try larger lazy')
    .action(async (names, _options, command) => {
      const { beyond } = await import('./commands/beyond.ts');
      done(await beyond(names, all(command), io));
    });
  program
    .command('replay')
    .description('replay traces on the implementation, every variable compared after every step')
    .argument('<traces...>', 'ITF files')
    .option('--profile <name>', 'the same schedule under another rule: caught up, and read back')
    .option('--system <name>', 'what to replay on: memory, disk, tcp or kafka-classes@<release>', 'memory')
    .option('--story', 'tell each step')
    .option('--json', 'one JSON document instead of text')
    .addHelpText(
      'after',
      '\nExample:\n  leader-epoch replay traces/fast-restart-told.itf.json --profile Kip101 --story',
    )
    .action(async (files, _options, command) => {
      const { replayTraces } = await import('./commands/replay.ts');
      done(await replayTraces(files, all(command), io));
    });
  program
    .command('conform')
    .description(
      'hold an implementation against the whole graph of each model, both ways; without names, all that are quick',
    )
    .argument('[claims...]', 'names, as `leader-epoch claims` lists them')
    .option('--deep', 'the deep ones too')
    .option('--profile <name>', "another rule than the model's own")
    .option('--system <name>', 'memory, disk, tcp, kafka-classes@<release> or process:<command line>', 'memory')
    .option('--spec <file>', 'another specification (.tla, with its .cfg beside it) instead of claims')
    .option('--max-steps <n>', 'of a system that has to be driven: stop after so many steps', count)
    .option('--max-states <n>', 'leave out models that have more', count)
    .option('--resume <file>', 'keep each result there, and do not run again what is there already')
    .option('--graph <file>', "a dump of TLC's (-dump dot,actionlabels) that is there already")
    .option('--coverage', 'what of the protocol was exercised')
    .option('--jobs <n>', 'models at a time', count, defaultJobs())
    .option('--json', 'one JSON document instead of text')
    .addHelpText('after', '\nExample:\n  leader-epoch conform kip320-clean --coverage')
    .action(async (names, _options, command) => {
      const { conform } = await import('./commands/conform.ts');
      done(await conform(names, all(command), io));
    });
  program
    .command('explore')
    .description('search all that the implementation does within the bounds of a model, without TLC and Java')
    .argument('[claims...]', 'names, as `leader-epoch claims` lists them; without, all that are quick')
    .option('--deep', 'the deep ones too')
    .option('--profile <name>', "another rule than the model's own")
    .option('--whole', 'go on to the end, whatever breaks: the size of the whole space')
    .option('--out <folder>', 'write the counterexamples found there, as ITF traces')
    .option('--json', 'one JSON document instead of text')
    .addHelpText('after', '\nExample:\n  leader-epoch explore fast-restart-loss kip320-clean')
    .action(async (names, _options, command) => {
      const { exploreClaims } = await import('./commands/explore.ts');
      done(await exploreClaims(names, all(command), io));
    });
  program
    .command('validate')
    .description('let TLC tell whether the log of a running system is a behaviour of the specification')
    .argument('<log>', 'lines of JSON (docs/conformance.md)')
    .option('--profile <name>', "another rule than the log's own, for all replicas")
    .option(
      '--slack <lines>',
      'how many lines an event may stand too late, beside those of other processes',
      wholeNumber,
      5,
    )
    .option('--json', 'one JSON document instead of text')
    .addHelpText(
      'after',
      '\nExample:\n  leader-epoch simulate --runs 1 --log run.ndjson && leader-epoch validate run.ndjson',
    )
    .action(async (file, _options, command) => {
      const { validateLog } = await import('./commands/validate.ts');
      done(await validateLog(file, all(command), io));
    });
  program
    .command('shrink')
    .description('leave steps out of a trace as long as the rest still breaks its property')
    .argument('<trace>', 'an ITF file')
    .option('--out <file>', 'write the shorter one there, as ITF')
    .option('--page <file>', 'write a page that opens with it')
    .option('--json', 'one JSON document instead of text')
    .addHelpText('after', '\nExample:\n  leader-epoch shrink traces/hard-failures-told.itf.json --page shrunk.html')
    .action(async (file, _options, command) => {
      const { shrinkTrace } = await import('./commands/shrink.ts');
      done(await shrinkTrace(file, all(command), io));
    });
  program
    .command('record')
    .description('make recorded counterexamples anew; without names, those of all claims that are violated')
    .argument('[claims...]', 'names, as `leader-epoch claims` lists them')
    .option('--out <folder>', 'where to write them (default: traces/)')
    .option('--jobs <n>', 'model checks at a time', count, defaultJobs())
    .option('--json', 'one JSON document instead of text')
    .addHelpText('after', '\nExample:\n  leader-epoch record fast-restart-loss --out /tmp/traces')
    .action(async (names, _options, command) => {
      const { record } = await import('./commands/record.ts');
      done(await record(names, all(command), io));
    });
  program
    .command('fuzz')
    .description('hold systems against random schedules, step by step, and let TLC follow them')
    .argument('<systems...>', 'kafka-classes@<release>, kafka@<release>, disk, …')
    .option('--profile <name>', 'the rules, of spec/Profiles.tla (default: those of the release)')
    .option('--steps <n>', 'of each system, in all', count, 2_000)
    .option('--length <n>', 'steps of a schedule', count, 100)
    .option('--replicas <n>', 'how many there are', count, 3)
    .option('--seed <n>', 'of the first schedule; the next ones count up', count, 1)
    .option('--tlc', 'let TLC follow each schedule, too: some seconds for each')
    .option('--out <folder>', 'where schedules go that were taken otherwise, as ITF traces')
    .option('--json', 'one JSON document instead of text')
    .addHelpText('after', '\nExample:\n  leader-epoch fuzz kafka-classes@4.4.0 --steps 10000 --tlc')
    .action(async (systems, _options, command) => {
      const { fuzz } = await import('./commands/fuzz.ts');
      done(await fuzz(systems, all(command), io));
    });
  program
    .command('kafka')
    .description("run the schedule of each counterexample on Kafka's own code, release by release")
    .option('--release <releases...>', 'releases, such as 2.0.1 or 1.1.1+0.10.2 (with an older protocol)')
    .option('--all', 'every release that there is, not only one for each rule; on brokers, every cell')
    .option('--claim <claims...>', 'claims, as `leader-epoch claims` lists them')
    .option('--brokers', 'on whole brokers, with sockets, files and processes; not on the classes alone')
    .option('--profile <name>', "what to hold it against, of spec/Profiles.tla; without it, the release's own profile")
    .option('--files', 'what each replica has on disk in the end, and what clients were told')
    .option('--times <n>', 'run each that often, and tell whether they are all the same', count)
    .option('--json', 'one JSON document instead of text')
    .addHelpText('after', '\nExample:\n  leader-epoch kafka --release 1.1.1 2.0.1 --claim fast-leader-change')
    .action(async (_options, command) => {
      const { kafka } = await import('./commands/kafka.ts');
      done(await kafka(all(command), io));
    });
  program
    .command('report')
    .description('write the page: every counterexample to watch, to try, to predict, in one HTML file')
    .option('--out <file>', 'where to write it', 'leader-epoch.html')
    .option('--json', 'one JSON document instead of text')
    .addHelpText('after', '\nExample:\n  leader-epoch report --out leader-epoch.html')
    .action(async (_options, command) => {
      const { report } = await import('./commands/report.ts');
      done(await report(all(command), io));
    });
  program
    .command('serve')
    .description('show the page on this machine, replay what is opened in it, and load it again when traces change')
    .option('--port <number>', 'where to listen on 127.0.0.1; 0: any port that is free', '4280')
    .option('--on <systems...>', 'what to replay on: memory, kafka-classes@2.0.1, …')
    .addHelpText('after', '\nExample:\n  leader-epoch serve --port 4280')
    .action(async (_options, command) => {
      const { serve } = await import('./commands/serve.ts');
      done(await serve(all(command), io));
    });
  program
    .command('simulate')
    .description('run clusters of brokers on a simulated clock, network and disk, under faults, one for each seed')
    .option('--profile <name>', 'the rules of the brokers', 'Kip320')
    .option('--runs <n>', 'how many', count, 100)
    .option('--seed <n>', 'of the first run', count, 1)
    .option('--steps <n>', 'of the protocol, in each run', count, 100)
    .option('--log <file>', 'write what the first run logs, for `validate`')
    .option('--json', 'one JSON document instead of text')
    .addHelpText('after', '\nExample:\n  leader-epoch simulate --profile Kafka_0_10_2 --runs 30')
    .action(async (_options, command) => {
      const { simulateRuns } = await import('./commands/simulate.ts');
      done(await simulateRuns(all(command), io));
    });
  program
    .command('cluster')
    .description('start brokers of one partition on this machine, which clients of Kafka can use, until Ctrl-C')
    .option('--brokers <n>', 'how many', count, 3)
    .option('--port <n>', 'of the first broker, the others follow; 0 for any that are free', port, 9092)
    .option('--topic <name>', 'of the one partition', 'records')
    .option('--profile <name>', 'the rules of the brokers', 'Kafka_4_4')
    .option('--min-isr <n>', 'min.insync.replicas', count, 1)
    .option('--unclean', 'elect a replica out of sync if nobody else is left')
    .option('--folder <path>', 'where their files are kept (default: a temporary one)')
    .option('--events', 'print each step of the protocol as a line of JSON')
    .addHelpText('after', '\nExample:\n  leader-epoch cluster --port 0 --events')
    .action(async (_options, command) => {
      const { cluster } = await import('./commands/cluster.ts');
      done(await cluster(all(command), io));
    });
  program
    .command('claims')
    .description('list what is claimed, and within which bounds')
    .option('--markdown', 'the table of spec/README.md')
    .option('--beyond', 'the table of what was tried beyond each bound')
    .option('--manifest', 'the models as tlaplus/Examples lists its own: spec/manifest.json')
    .option('--json', 'one JSON document instead of text')
    .addHelpText('after', '\nExample:\n  leader-epoch claims --json')
    .action(async (_options, command) => {
      const { listClaims } = await import('./commands/claimsList.ts');
      done(listClaims(all(command), io));
    });
  program
    .command('tlc')
    .description('let TLC check any specification, of whatever subject')
    .argument('<specs...>', 'modules, each with its configuration beside it')
    .option('--config <file>', 'the configuration, where it has another name')
    .option('--workers <n>', 'threads of TLC, or auto; with one, the same trace is found each time', workers)
    .option('--heap <megabytes>', 'memory of Java (default: half of the machine, from 512 to 8192)', count)
    .option('--timeout <seconds>', 'stop a model check that takes longer', count)
    .option('--simulate <n>', 'so many random behaviours instead of a search', count)
    .option('--depth <n>', 'states of each random behaviour', count)
    .option('--seed <n>', 'of the random behaviours', count)
    .option('--no-deadlock', 'a state without successors is no error')
    .option('--continue', 'go on after an error')
    .option('--coverage', 'count how often each action is taken')
    .option('--library <folders...>', 'where to look for modules, after the folder of the specification')
    .option('--jar <file>', 'a tla2tools.jar (default: $TLA2TOOLS_JAR, or TLC 2.18, fetched once)')
    .option('--fresh', 'never from an outcome that was kept')
    .option(
      '--trace <file>',
      'write the counterexample, in the format of the ending (.itf.json, .tla, .md, .mmd, .svg, .txt)',
    )
    .option('--junit <file>', 'write the verdicts as JUnit XML, too')
    .option('--json', 'one JSON document instead of text')
    .addHelpText(
      'after',
      `
Examples:
  leader-epoch tlc Spec.tla
  leader-epoch tlc Spec.tla --workers auto --timeout 600 --trace counterexample.itf.json

Exit codes: 0 no error, 1 an error of the specification, 2 could not tell.`,
    )
    .action(async (specs, _options, command) => {
      const { tlc } = await import('./commands/tlc.ts');
      done(await tlc(specs, all(command), io));
    });
  program
    .command('convert')
    .description('a trace from one format to another')
    .argument('<in>', "TLC's output (with -tool or without), what -dumpTrace json writes, or ITF; - is standard input")
    .argument(
      '<out>',
      'a file, its format by its ending (.itf.json, .tla, .md, .mmd, .svg, .txt); - is standard output',
    )
    .option('--from <format>', 'tlc, tlc-json or itf, where the text does not tell')
    .option('--to <format>', 'itf, tla, markdown, mermaid, svg or text, where the ending does not tell')
    .option('--number <n>', 'which one of several traces', count)
    .option('--name <name>', 'the name of the TLA+ module, or the title')
    .option('--messages <variable>', 'for a sequence diagram: the variable that holds the messages')
    .option('--sender <field>', 'the field of a message that says who sends it')
    .option('--receiver <field>', 'the field that says who receives it')
    .option('--label <field>', 'the field that says what kind of message it is')
    .option('--reversed <text>', 'messages whose label has this text go from receiver to sender: replies')
    .addHelpText(
      'after',
      `
Examples:
  java -cp tla2tools.jar tlc2.TLC -tool Spec.tla | leader-epoch convert - trace.itf.json
  leader-epoch convert traces/fast-restart-told.itf.json FastRestart.tla
  leader-epoch convert traces/fast-restart-told.itf.json told.svg \\
    --messages network --sender follower --receiver leader --reversed Response`,
    )
    .action(async (input, output, _options, command) => {
      const { convert } = await import('./commands/convert.ts');
      done(await convert(input, output, all(command), io));
    });
  program
    .command('doctor')
    .description('what is installed, what is missing, and how to get it')
    .option('--json', 'one JSON document instead of text')
    .addHelpText('after', '\nExample:\n  leader-epoch doctor')
    .action(async (_options, command) => {
      const { doctor } = await import('./commands/doctor.ts');
      done(await doctor(all(command), io));
    });
  for (const command of program.commands) command.exitOverride();
  return program;
}

function packageVersion(): string {
  return (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }).version;
}

function noSuchCommand(name: string, program: Command): string {
  const names = program.commands.map((command) => command.name()).join(', ');
  return `There is no command "${name}". There are ${names}; without one, the main job runs.`;
}

function port(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 0 && number < 65536) return number;
  throw new InvalidArgumentError('Expected a port, from 0 to 65535.');
}

function count(text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new InvalidArgumentError('Expected a number from 1 on.');
}

function workers(text: string): number | 'auto' {
  return text === 'auto' ? text : count(text);
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (text !== '' && Number.isSafeInteger(number) && number >= 0) return number;
  throw new InvalidArgumentError('Expected a number from 0 on.');
}

/** Two model checks at a time need two cores; more of them would need more memory than a laptop has. */
function defaultJobs(): number {
  return Math.min(2, availableParallelism());
}
