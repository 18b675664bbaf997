import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { type RunningCluster, startCluster } from '../../src/cluster/index.ts';
import { kafkaClassPath } from '../../src/systems/kafkaBuild.ts';

/** Maven fetches clients, and a leader's ISR shrinks after 10 s. */
const PATIENCE_MS = 5 * 60_000;

let folder: string;
let cluster: RunningCluster;
const running: Client[] = [];

const start = (unclean = false) =>
  startCluster({
    ...{ folder, topic: 'records', brokers: 3, host: '127.0.0.1', port: 0, unclean },
    ...{ profile: 'Kafka_4_4', minIsr: 1 },
  });
const servers = () => [...cluster.addresses.values()].map(({ host, port }) => `${host}:${port}`).join(',');

/** A client in a process of its own, and the lines that it has printed. */
class Client {
  readonly lines: string[] = [];
  readonly #process;
  #told: () => void = () => {};
  #hasEnded = false;

  constructor(file: string, args: readonly string[]) {
    this.#process = execa(file, args, { buffer: false, reject: false, stderr: 'ignore' });
    createInterface(this.#process.stdout).on('line', (line) => {
      this.lines.push(line);
      this.#told();
    });
    this.#process.stdout.once('close', () => {
      this.#hasEnded = true;
      this.#told();
    });
    running.push(this);
  }

  say(line: string): void {
    this.#process.stdin.write(`${line}\n`);
  }

  /** Everything that it prints, once it is so many lines. */
  async printed(count: number): Promise<readonly string[]> {
    while (this.lines.length < count) {
      if (this.#hasEnded) throw new Error(`It has ended, after:\n${this.lines.join('\n')}`);
      await new Promise<void>((resolve) => (this.#told = resolve));
    }
    return this.lines;
  }

  async end(): Promise<void> {
    this.#process.stdin.end();
    this.#process.kill('SIGKILL');
    await this.#process;
  }
}

async function kafkaClient(version: string, verb: 'produce' | 'consume'): Promise<Client> {
  const classPath = await kafkaClassPath({ family: 'clients', version, shape: null }, process.env);
  return new Client('java', ['-cp', classPath, 'leaderepoch.Clients', verb, servers(), 'records']);
}

describe.skipIf(!process.env.LEADER_EPOCH_KAFKA)("others' clients", () => {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'leader-epoch-'));
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((client) => client.end()));
    await cluster.close();
    await rm(folder, { recursive: true, force: true });
  });

  it(
    'kcat writes and reads, and goes on under another leader',
    async () => {
      cluster = await start();
      const partition = ['-b', servers(), '-t', 'records', '-p', '0'];
      const write = (input: string) => execa('kcat', [...partition, '-P', '-X', 'acks=all'], { input });
      const reader = new Client('kcat', [...partition, '-C', '-o', 'beginning', '-q', '-u', '-f', '%o %s\n']);
      await write('one\ntwo\n');
      expect(await reader.printed(2)).toEqual(['0 one', '1 two']);
      await cluster.kill('1');
      await write('three\n');
      expect(await reader.printed(3)).toEqual(['0 one', '1 two', '2 three']);
    },
    PATIENCE_MS,
  );

  describe.each(['2.8.2', '4.4.0'])("Kafka's own, %s", (version) => {
    it(
      'write and read, without a group, and go on under another leader',
      async () => {
        cluster = await start();
        const [producer, consumer] = await Promise.all([
          kafkaClient(version, 'produce'),
          kafkaClient(version, 'consume'),
        ]);
        producer.say('one');
        expect(await consumer.printed(1)).toEqual(['record 0 1 one']);
        await cluster.kill('1');
        producer.say('two');
        expect(await producer.printed(2)).toEqual(['written 0', 'written 1']);
        expect(await consumer.printed(2)).toEqual(['record 0 1 one', 'record 1 2 two']);
      },
      PATIENCE_MS,
    );
  });

  // Not of 2.8.2, which may never come back: it knows only whom it was last told of, and that is the leader that then dies. Since
  // KIP-899 and KIP-1102 a client begins again with the addresses that it was given.
  test(
    "Kafka's own consumer, 4.4.0, asks where its epoch ends, and is told what an unclean election took",
    async () => {
      const version = '4.4.0';
      cluster = await start(true);
      const [producer, consumer] = await Promise.all([
        kafkaClient(version, 'produce'),
        kafkaClient(version, 'consume'),
      ]);
      producer.say('one');
      await consumer.printed(1);
      await cluster.kill('2');
      await cluster.kill('3');
      // Acknowledged by all that are in sync: once the others have been silent for long enough, the leader alone.
      producer.say('two');
      producer.say('three');
      expect(await consumer.printed(3)).toEqual(['record 0 1 one', 'record 1 1 two', 'record 2 1 three']);
      await cluster.kill('1');
      await cluster.start('2');
      await cluster.start('3');
      producer.say('four');
      expect((await consumer.printed(5)).slice(3)).toEqual(['truncated 3 1 1', 'record 1 2 four']);
    },
    PATIENCE_MS,
  );
});
