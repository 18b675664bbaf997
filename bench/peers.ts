/**
 * One property at the same bounds on a public specification of Kafka's replication, and on ours: verdict, states, time. Each at
 * its own grain: theirs has no messages, so a fetch or a truncation is one step, and a replica that the controller takes out
 * stands for a crash; ours has messages, and one crash. (Their KIP-101 and KIP-279 have no next-state relation of
 * their own.)
 *
 *   git clone https://github.com/hachikuji/kafka-specification
 *   npm run bench:peers -- kafka-specification [<rule>…] [--seconds 1200]
 *
 * A run that takes longer is stopped, and says how far it came. Seconds in the table are of the processor.
 *
 * Nothing of theirs is kept here. StrongIsr: what is below a leader's high watermark is in the log of every replica that it has
 * in sync. CommittedSurvives: ... of every later leader.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { specFolder } from '../src/claims/index.ts';
import { runTlc, type TlcResult } from '../src/tlc/index.ts';
import { watchJava } from './growth/watchJava.ts';
import { orExit } from './interruptible.ts';

const RECORDS = 2;
const EPOCHS = 3;

/** Their module, and our profile. */
const RULES: Readonly<Record<string, { readonly theirs: string; readonly ours: string }>> = {
  'own high watermark': { theirs: 'KafkaTruncateToHighWatermark', ours: 'OwnHighWatermark' },
  'KIP-320': { theirs: 'Kip320', ours: 'Kip320' },
};

const { values, positionals } = orExit(() =>
  parseArgs({
    options: { seconds: { type: 'string', default: '1200' } },
    allowPositionals: true,
  }),
);
const [folder, ...asked] = positionals;
if (folder === undefined || !existsSync(join(folder, 'Kip320.tla')) || asked.some((rule) => !(rule in RULES))) {
  console.error(
    `Usage: npm run bench:peers -- <a clone of github.com/hachikuji/kafka-specification> [${Object.keys(RULES).join(' | ')}]`,
  );
  process.exit(2);
}

const own = await mkdtemp(join(tmpdir(), 'leader-epoch-peers-'));
try {
  console.log(`2 replicas, ${RECORDS} records, ${EPOCHS} leader epochs; one worker`);
  for (const rule of asked.length > 0 ? asked : Object.keys(RULES)) {
    const { theirs, ours } = RULES[rule] as { theirs: string; ours: string };
    print(rule, 'theirs, StrongIsr', await runTheirs(theirs));
    print(rule, 'ours, CommittedSurvives', await runOurs(ours));
  }
} finally {
  await rm(own, { recursive: true, force: true });
}

type Measured = TlcResult & ReturnType<ReturnType<typeof watchJava>['stop']>;

async function runTheirs(module: string): Promise<Measured> {
  const constants = [
    ...['Replicas = {"A", "B"}', `LogSize = ${RECORDS}`, `MaxRecords = ${RECORDS}`],
    `MaxLeaderEpoch = ${EPOCHS - 1}`,
  ];
  const config = `INIT Init\nNEXT Next\nCONSTANTS\n    ${constants.join('\n    ')}\nINVARIANT StrongIsr\n`;
  return runPeer(module, config, folder as string);
}

async function runOurs(profile: string): Promise<Measured> {
  const text = await readFile(join(specFolder, 'models', 'Kip320Clean.cfg'), 'utf8');
  const config = text
    .replace(/Profile = .*/, `Profile = "${profile}"`)
    .replace(/MaxRecords = .*/, `MaxRecords = ${RECORDS}`)
    .replace(/MaxElections = .*/, `MaxElections = ${EPOCHS - 1}`)
    .replace(/MaxCrashes = .*/, 'MaxCrashes = 1')
    .replace(/Watch = .*/, 'Watch = {}')
    .replace(/INVARIANTS .*/, 'INVARIANTS TypeOk CommittedSurvives');
  return runPeer('MC', config, specFolder);
}

/** TLC looks for the configuration beside the module, and theirs is left as it is. */
async function runPeer(module: string, config: string, library: string): Promise<Measured> {
  await writeFile(join(own, 'Peer.tla'), `---- MODULE Peer ----\nEXTENDS ${module}\n====\n`);
  await writeFile(join(own, 'Peer.cfg'), config);
  const java = watchJava();
  const timeoutMs = Number(values.seconds) * 1_000;
  const result = await runTlc({ spec: join(own, 'Peer.tla'), library: [library], checkDeadlock: false, timeoutMs });
  return { ...result, ...java.stop() };
}

function print(rule: string, whose: string, { outcome, statistics, cpuSeconds, peakMb }: Measured): void {
  const verdict =
    outcome.kind === 'success'
      ? 'holds'
      : outcome.kind === 'invariant'
        ? `${outcome.name} violated after ${outcome.trace.states.length} states`
        : outcome.kind === 'timeout'
          ? `stopped: nothing found to depth ${statistics.depth ?? 0}, ${statistics.queueLeft ?? 0} states left to look at`
          : `no verdict: ${'message' in outcome ? outcome.message : outcome.kind}`;
  const states = (statistics.distinct ?? 0).toLocaleString('en').padStart(9);
  const seconds = cpuSeconds.toFixed(1).padStart(6);
  console.log(`${rule.padEnd(20)} ${whose.padEnd(24)} ${states} states ${seconds} s ${peakMb} MB  ${verdict}`);
}
