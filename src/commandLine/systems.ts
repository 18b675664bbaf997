import { CLAIMS, count, type Declare, deep, example, jobs, json, optionsOf, SYSTEMS } from './line.ts';

/** Commands on implementations, ours and Kafka's. */

export const conform: Declare = ({ program, io, done }) => {
  program
    .command('conform')
    .description(
      'hold an implementation against the whole graph of each model, both ways; without names, all that are quick',
    )
    .argument(...CLAIMS)
    .addOption(deep())
    .option('--profile <name>', "another rule than the model's own")
    .option('--system <name>', SYSTEMS, 'memory')
    .option('--spec <file>', 'another specification (.tla, with its .cfg beside it) instead of claims')
    .option('--max-steps <n>', 'of a system that has to be driven: stop after so many steps', count)
    .option('--max-states <n>', 'leave out models that have more', count)
    .option('--resume <file>', 'keep each result there, and do not run again what is there already')
    .option('--graph <file>', "a dump of TLC's (-dump dot,actionlabels) that is there already")
    .option('--coverage', 'what of the protocol was exercised')
    .addOption(jobs('models at a time'))
    .addOption(json())
    .addHelpText('after', example('conform kip320-clean --coverage'))
    .action(async (names, _options, command) => {
      const { conform } = await import('../commands/conform.ts');
      done(await conform(names, optionsOf(command), io));
    });
};

export const explore: Declare = ({ program, io, done }) => {
  program
    .command('explore')
    .description('search all that the implementation does within the bounds of a model, without TLC and Java')
    .argument('[claims...]', 'names, as `leader-epoch claims` lists them; without, all that are quick')
    .addOption(deep())
    .option('--profile <name>', "another rule than the model's own")
    .option('--whole', 'go on to the end, whatever breaks: the size of the whole space')
    .option('--out <folder>', 'write the counterexamples found there, as ITF traces')
    .addOption(json())
    .addHelpText('after', example('explore fast-restart-loss kip320-clean'))
    .action(async (names, _options, command) => {
      const { exploreClaims } = await import('../commands/explore.ts');
      done(await exploreClaims(names, optionsOf(command), io));
    });
};

export const fuzz: Declare = ({ program, io, done }) => {
  program
    .command('fuzz')
    .description('hold systems against random schedules, step by step, and let TLC follow them')
    .argument('<systems...>', SYSTEMS)
    .option('--profile <name>', 'the rules, of spec/Profiles.tla (default: those of the release)')
    .option('--steps <n>', 'of each system, in all', count, 2_000)
    .option('--length <n>', 'steps of a schedule', count, 100)
    .option('--replicas <n>', 'how many there are', count, 3)
    .option('--seed <n>', 'of the first schedule; the next ones count up', count, 1)
    .option('--tlc', 'let TLC follow each schedule, too: some seconds for each')
    .option('--out <folder>', 'where schedules go that were taken otherwise, as ITF traces')
    .addOption(json())
    .addHelpText('after', example('fuzz kafka-classes@4.4.0 --steps 10000 --tlc'))
    .action(async (systems, _options, command) => {
      const { fuzz } = await import('../commands/fuzz.ts');
      done(await fuzz(systems, optionsOf(command), io));
    });
};

export const kafka: Declare = ({ program, io, done }) => {
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
    .addOption(json())
    .addHelpText('after', example('kafka --release 1.1.1 2.0.1 --claim fast-leader-change'))
    .action(async (_options, command) => {
      const { kafka } = await import('../commands/kafka.ts');
      done(await kafka(optionsOf(command), io));
    });
};
