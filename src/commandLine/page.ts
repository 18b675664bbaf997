import { type Declare, example, json, optionsOf, SYSTEMS } from './line.ts';

/** Commands on the page. */

export const report: Declare = ({ program, io, done }) => {
  program
    .command('report')
    .description('write the page: every counterexample to watch, to try, to predict, in one HTML file')
    .option('--out <file>', 'where to write it', 'leader-epoch.html')
    .addOption(json())
    .addHelpText('after', example('report --out leader-epoch.html'))
    .action(async (_options, command) => {
      const { report } = await import('../commands/report.ts');
      done(await report(optionsOf(command), io));
    });
};

export const serve: Declare = ({ program, io, done }) => {
  program
    .command('serve')
    .description('show the page on this machine, replay what is opened in it, and load it again when traces change')
    .option('--port <number>', 'where to listen on 127.0.0.1; 0: any port that is free', '4280')
    .option('--on <systems...>', `what to replay on: ${SYSTEMS}`)
    .addHelpText('after', example('serve --port 4280'))
    .action(async (_options, command) => {
      const { serve } = await import('../commands/serve.ts');
      done(await serve(optionsOf(command), io));
    });
};
