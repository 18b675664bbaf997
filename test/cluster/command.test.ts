import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, test, vi } from 'vitest';
import { produce } from '../../src/cluster/producer.ts';
import { run } from '../support/io.ts';

function savedWith(topic: string, ...brokers: string[]): string {
  const incarnations = Object.fromEntries(brokers.map((id) => [id, 1]));
  return JSON.stringify({ topic, news: { epoch: 1, leader: '1', isr: brokers }, incarnations });
}

describe('the command', () => {
  it('starts brokers, says where they are, and ends them on Ctrl-C', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 200);
    const { err, exitCode } = await run(['cluster', '--port', '0'], { signal: stop.signal });
    expect([exitCode, err]).toEqual([0, expect.stringMatching(/^3 brokers under Kafka_4_4 at 127\.0\.0\.1:\d+,/)]);
  });

  it('says that a port is taken, and leaves nobody behind', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const { err, exitCode } = await run(['cluster', '--port', String(port)]);
    taken.close();
    const remedy = 'Choose another port with --port, or 0 for any that are free.';
    expect([exitCode, err]).toEqual([
      2,
      expect.stringContaining(
        `Broker 1 cannot start: listen EADDRINUSE: address already in use 127.0.0.1:${port}. ${remedy}`,
      ),
    ]);
  });

  describe('with one broker', () => {
    const LOG = '1/records-0/00000000000000000000.log';
    const PATIENCE = { timeout: 60_000, interval: 50 };

    async function freePort(): Promise<number> {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      await new Promise((resolve) => server.close(resolve));
      return port;
    }

    /** It has a record, which its producer was told is stored; then `then`. */
    async function ran(folder: string, then: (port: number) => Promise<unknown>, signal: AbortSignal) {
      const port = await freePort();
      const argv = ['cluster', '--port', String(port), '--brokers', '1', '--folder', folder];
      let onErr = (_line: string): void => {};
      const isUp = new Promise<void>((resolve) => {
        onErr = (line) => line.startsWith('  kcat ') && resolve();
      });
      const running = run(argv, { signal, onErr });
      await isUp;
      await vi.waitFor(async () => expect(await give(port)).toBe(0), PATIENCE);
      await then(port);
      return running;
    }
    const give = (port: number) => produce({ host: '127.0.0.1', port }, 'records', 1, '1');

    it('says why a broker ends that cannot write, and ends where the controller cannot', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'leader-epoch-'));
      const damage = async (port: number) => {
        await mkdir(join(folder, '1/recovery-point-offset-checkpoint.tmp'));
        await mkdir(join(folder, 'controller.json.tmp'));
        await give(port);
      };
      const { err, exitCode } = await ran(folder, damage, new AbortController().signal);
      await rm(folder, { recursive: true });
      expect(exitCode).toBe(2);
      expect(err.split('\n').slice(3)).toEqual([
        `Broker 1: ${folder}/1/recovery-point-offset-checkpoint.tmp: EISDIR: illegal operation on a directory`,
        'Broker 1 has died. It starts again in 3 s.',
        `${folder}/controller.json.tmp: EISDIR: illegal operation on a directory`,
      ]);
    });

    it('says what a broker has mended when it starts', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'leader-epoch-'));
      const [first, second] = [new AbortController(), new AbortController()];
      await ran(folder, async () => first.abort(), first.signal);
      const size = (await readFile(join(folder, LOG))).length;
      await rm(join(folder, '1/.kafka_cleanshutdown'));
      await appendFile(join(folder, LOG), 'half of a');
      const running = run(['cluster', '--port', '0', '--brokers', '1', '--folder', folder], { signal: second.signal });
      await vi.waitFor(async () => expect((await readFile(join(folder, LOG))).length).toBe(size), PATIENCE);
      second.abort();
      const { err } = await running;
      await rm(folder, { recursive: true });
      expect(err.split('\n')[0]).toBe(
        `Broker 1: ${folder}/${LOG}, byte ${size}: 9 bytes, which were not flushed, are cut: 9 bytes are no whole batch`,
      );
    });
  });

  test.each([
    [
      {
        'controller.json': savedWith('records', '1', '2', '3'),
        '1/log-start-offset-checkpoint': '0\n1\nrecords 0 75\n',
      },
      /^Broker 1 cannot start: \S+: the log begins at offset 75, and a broker here needs all of it$/m,
    ],
    [
      { 'controller.json': '{' },
      /^\S+\/controller\.json is no JSON \(.*\)\. Without it nobody knows who led\. Take another folder with --folder\.$/m,
    ],
    [
      { 'controller.json': '{"topic":"records","news":{"epoch":-1,"leader":"1","isr":[]},"incarnations":{}}' },
      /controller\.json is not what was written: at \$\.news\.epoch: Too small/,
    ],
    [
      { '1/recovery-point-offset-checkpoint': '' },
      /controller\.json is missing, and there are files of broker 1\. Without/,
    ],
    [
      { 'controller.json': savedWith('records', '1', '2') },
      /is of a cluster with brokers 1, 2 and the topic "records": start it with --brokers 2, or take another folder\./,
    ],
    [
      { 'controller.json': savedWith('other', '1', '2', '3') },
      /with brokers 1, 2, 3 and the topic "other": start it with --topic other, or/,
    ],
  ])('does not start on a folder that it cannot go on from: %o', async (files, message) => {
    const folder = await mkdtemp(join(tmpdir(), 'leader-epoch-'));
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    const { err, exitCode } = await run(['cluster', '--port', '0', '--folder', folder]);
    await rm(folder, { recursive: true });
    expect([exitCode, err]).toEqual([2, expect.stringMatching(message)]);
  });

  test.each([
    [['--profile', 'Kafka_9'], 'There is no profile "Kafka_9". Did you mean "Kafka_3_9"? There are Kafka_0_10_2, '],
    [['--brokers', '100000'], "option '--brokers <n>' argument '100000' is invalid. Expected a number from 1 to 50."],
    [['--min-isr', '4'], '3 brokers cannot have 4 in-sync replicas.'],
    [['--folder', '/dev/null/x'], 'No folder can be made at /dev/null/x (ENOTDIR): choose another.'],
    [['--port', '65534'], 'The last of 3 brokers would be at port 65536: the first needs a lower one.'],
    [['--port', '70000'], "error: option '--port <n>' argument '70000' is invalid. Expected a port, from 0 to 65535."],
  ])('says what is wrong with %s', async (args, message) => {
    const { err, exitCode } = await run(['cluster', ...args]);
    expect([exitCode, err]).toEqual([2, expect.stringContaining(message)]);
  });
});
