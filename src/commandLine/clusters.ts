import { count, type Declare, example, from, json, optionsOf, port, topic } from './line.ts';

/** Commands on clusters of brokers. */

/** Each is a process, with connections to all others. */
const MAX_BROKERS = 50;

export const simulate: Declare = ({ program, io, done }) => {
  program
    .command('simulate')
    .description('run clusters of brokers on a simulated clock, network and disk, under faults, one for each seed')
    .option('--profile <name>', 'the rules of the brokers', 'Kip320')
    .option('--runs <n>', 'how many', count, 100)
    .option('--seed <n>', 'of the first run', count, 1)
    .option('--steps <n>', 'of the protocol, in each run', count, 100)
    .option('--log <file>', 'write what the first run logs, for `validate`')
    .addOption(json())
    .addHelpText('after', example('simulate --profile Kafka_0_10_2 --runs 30'))
    .action(async (_options, command) => {
      const { simulateRuns } = await import('../commands/simulate.ts');
      done(await simulateRuns(optionsOf(command), io));
    });
};

export const cluster: Declare = ({ program, io, done }) => {
  program
    .command('cluster')
    .description('start brokers of one partition on this machine, which clients of Kafka can use, until Ctrl-C')
    .option('--brokers <n>', 'how many', from(1, MAX_BROKERS), 3)
    .option('--port <n>', 'of the first broker, the others follow; 0 for any that are free', port, 9092)
    .option('--topic <name>', 'of the one partition', topic, 'records')
    .option('--profile <name>', 'the rules of the brokers', 'Kafka_4_4')
    .option('--min-isr <n>', 'min.insync.replicas', count, 1)
    .option('--unclean', 'elect a replica out of sync if nobody else is left')
    .option('--folder <path>', 'where their files are kept (default: a temporary one)')
    .option('--events', 'print each step of the protocol as a line of JSON')
    .addHelpText('after', example('cluster --port 0 --events'))
    .action(async (_options, command) => {
      const { cluster } = await import('../commands/cluster.ts');
      done(await cluster(optionsOf(command), io));
    });
};
