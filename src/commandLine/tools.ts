import { count, type Declare, example, fresh, from, javaCount, json, optionsOf, workers } from './line.ts';

/** Commands on TLC by itself, and what is installed. */

export const tlc: Declare = ({ program, io, done }) => {
  program
    .command('tlc')
    .description('let TLC check any specification, of whatever subject')
    .argument('<specs...>', 'modules, each with its configuration beside it')
    .option('--config <file>', 'the configuration, where it has another name')
    .option('--workers <n>', 'threads of TLC, or auto; with one, the same trace is found each time', workers)
    .option('--heap <megabytes>', 'memory of Java (default: half of the machine, from 512 to 8192)', from(16))
    .option('--timeout <seconds>', 'stop a model check that takes longer', count)
    .option('--simulate <n>', 'so many random behaviours instead of a search', javaCount)
    .option('--depth <n>', 'states of each random behaviour', javaCount)
    .option('--seed <n>', 'of the random behaviours', count)
    .option('--no-deadlock', 'a state without successors is no error')
    .option('--continue', 'go on after an error')
    .option('--coverage', 'count how often each action is taken')
    .option('--library <folders...>', 'where to look for modules, after the folder of the specification')
    .option('--jar <file>', 'a tla2tools.jar (default: $TLA2TOOLS_JAR, or TLC 2.18, fetched once)')
    .addOption(fresh())
    .option(
      '--trace <file>',
      'write the counterexample, in the format of the ending (.itf.json, .tla, .md, .mmd, .svg, .txt)',
    )
    .option('--junit <file>', 'write the verdicts as JUnit XML, too')
    .addOption(json())
    .addHelpText(
      'after',
      `
Examples:
  leader-epoch tlc Spec.tla
  leader-epoch tlc Spec.tla --workers auto --timeout 600 --trace counterexample.itf.json

Exit codes: 0 no error, 1 an error of the specification, 2 could not tell.`,
    )
    .action(async (specs, _options, command) => {
      const { tlc } = await import('../commands/tlc.ts');
      done(await tlc(specs, optionsOf(command), io));
    });
};

export const doctor: Declare = ({ program, io, done }) => {
  program
    .command('doctor')
    .description('what is installed, what is missing, and how to get it')
    .addOption(json())
    .addHelpText('after', example('doctor'))
    .action(async (_options, command) => {
      const { doctor } = await import('../commands/doctor.ts');
      done(await doctor(optionsOf(command), io));
    });
};
