import { CLAIMS, count, type Declare, deep, example, fresh, jobs, json, optionsOf, port, wholeNumber } from './line.ts';

/** Commands on what is claimed. */

export const check: Declare = ({ program, io, done }) => {
  program
    .command('check')
    .description('let TLC settle claims; without names, all that are quick')
    .argument(...CLAIMS)
    .addOption(deep())
    .addOption(fresh())
    .option('--timeout <seconds>', 'stop a model check that takes longer', count)
    .addOption(jobs())
    .option('--junit <file>', 'write the verdicts as JUnit XML, too')
    .option('--distributed', "by TLC's distributed mode: a server, and workers")
    .option('--workers <n>', 'distributed: workers on this machine (default: 2)', wholeNumber)
    .option('--listen <address>', 'distributed: an address of this machine, for workers of others (default: 127.0.0.1)')
    .option('--port <n>', 'distributed: where the server listens (default: any that is free)', port)
    .addOption(json())
    .addHelpText('after', example('check fast-restart-loss kip320-clean'))
    .action(async (names, _options, command) => {
      const { check } = await import('../commands/check.ts');
      done(await check(names, optionsOf(command), io));
    });
};

export const beyond: Declare = ({ program, io, done }) => {
  program
    .command('beyond')
    .description('try claims in other bounds than their own, as recorded in spec/beyond.json; without names, all')
    .argument(...CLAIMS)
    .option(
      '--try <kinds...>',
      'itself; smaller, larger (the next bounds); three (3 replicas, 3 elections, 2 crashes); simulated (the same, at random); lazy (lazy checkpoints)',
    )
    .option(
      '--limit <n>',
      'stop after so many distinct states; of liveness and of what is simulated, random behaviours',
      count,
    )
    .option('--timeout <seconds>', 'give up on a run that takes longer', count)
    .option('--write', 'record what is found')
    .addOption(jobs())
    .addOption(json())
    .addHelpText('after', example('beyond kip320-clean --try larger lazy'))
    .action(async (names, _options, command) => {
      const { beyond } = await import('../commands/beyond.ts');
      done(await beyond(names, optionsOf(command), io));
    });
};

export const record: Declare = ({ program, io, done }) => {
  program
    .command('record')
    .description('make recorded counterexamples anew; without names, those of all claims that are violated')
    .argument(...CLAIMS)
    .option('--out <folder>', 'where to write them (default: traces/)')
    .addOption(jobs())
    .addOption(json())
    .addHelpText('after', example('record fast-restart-loss --out /tmp/traces'))
    .action(async (names, _options, command) => {
      const { record } = await import('../commands/record.ts');
      done(await record(names, optionsOf(command), io));
    });
};

export const claims: Declare = ({ program, io, done }) => {
  program
    .command('claims')
    .description('list what is claimed, and within which bounds')
    .option('--markdown', 'the table of spec/README.md')
    .option('--bugs', 'the table of known bugs, what each breaks, and what holds once it is mended')
    .option('--beyond', 'the table of what was tried beyond each bound')
    .option('--manifest', 'the models as tlaplus/Examples lists its own: spec/manifest.json')
    .addOption(json())
    .addHelpText('after', example('claims --json'))
    .action(async (_options, command) => {
      const { listClaims } = await import('../commands/claimsList.ts');
      done(listClaims(optionsOf(command), io));
    });
};
