import { count, type Declare, example, json, optionsOf, SYSTEMS, wholeNumber } from './line.ts';

/** Commands on traces and logs. */

export const replay: Declare = ({ program, io, done }) => {
  program
    .command('replay')
    .description('replay traces on the implementation, every variable compared after every step')
    .argument('<traces...>', 'ITF files')
    .option('--profile <name>', 'the same schedule under another rule: caught up, and read back')
    .option('--system <name>', `what to replay on: ${SYSTEMS}`, 'memory')
    .option('--story', 'tell each step')
    .addOption(json())
    .addHelpText('after', example('replay traces/fast-restart-told.itf.json --profile Kip101 --story'))
    .action(async (files, _options, command) => {
      const { replayTraces } = await import('../commands/replay.ts');
      done(await replayTraces(files, optionsOf(command), io));
    });
};

export const shrink: Declare = ({ program, io, done }) => {
  program
    .command('shrink')
    .description('leave steps out of a trace as long as the rest still breaks its property')
    .argument('<trace>', 'an ITF file')
    .option('--out <file>', 'write the shorter one there, as ITF')
    .option('--page <file>', 'write a page that opens with it')
    .addOption(json())
    .addHelpText('after', example('shrink traces/hard-failures-told.itf.json --page shrunk.html'))
    .action(async (file, _options, command) => {
      const { shrinkTrace } = await import('../commands/shrink.ts');
      done(await shrinkTrace(file, optionsOf(command), io));
    });
};

export const validate: Declare = ({ program, io, done }) => {
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
    .addOption(json())
    .addHelpText('after', example('simulate --runs 1 --log run.ndjson && leader-epoch validate run.ndjson'))
    .action(async (file, _options, command) => {
      const { validateLog } = await import('../commands/validate.ts');
      done(await validateLog(file, optionsOf(command), io));
    });
};

export const convert: Declare = ({ program, io, done }) => {
  program
    .command('convert')
    .description('a trace from one format to another')
    .argument(
      '<in>',
      "TLC's output (with -tool or without), what -dumpTrace json writes or the Toolbox exports, or ITF; - is standard input",
    )
    .argument(
      '<out>',
      'a file, its format by its ending (.itf.json, .tla, .md, .mmd, .svg, .txt); - is standard output',
    )
    .option('--from <format>', 'tlc, tlc-json, itf or toolbox, where the text does not tell')
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
      const { convert } = await import('../commands/convert.ts');
      done(await convert(input, output, optionsOf(command), io));
    });
};
