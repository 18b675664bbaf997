import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cause, freePort, startJava } from '../../src/brokers/process.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leader-epoch-process-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const shell = (name: string, script: string) => startJava({ name, java: 'sh', args: ['-c', script], folder });

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(20);
}

describe('a process', () => {
  it('is ready when it says so, and gone when it is killed', async () => {
    const child = await shell('a broker', 'echo started; exec sleep 600');
    const said = await child.until('starts', async () => /started/.exec(await child.output()));
    expect({ said: said[0], ended: child.ended, alive: isAlive(child.pid) }).toEqual({
      said: 'started',
      ended: null,
      alive: true,
    });
    await child.kill();
    await child.kill();
    expect({ ended: child.ended, alive: isAlive(child.pid) }).toEqual({ ended: 'exit code 137', alive: false });
  });

  it('that ends before it is ready shows the cause from its log, not what came before', async () => {
    await (await shell('a broker', 'echo ERROR of the life before; sleep 600')).kill();
    const child = await shell('broker A', 'echo INFO begins; echo FATAL no disk; echo java.io.IOException; exit 3');
    await expect(child.until('answers', async () => null)).rejects.toThrow(
      /^broker A has ended \(exit code 3\) before it answers\.\nIts log says:\n {2}FATAL no disk\n {2}java\.io\.IOException$/,
    );
  });

  it('that there is not says so', async () => {
    const child = await startJava({ name: 'a broker', java: join(folder, 'no-such-java'), args: [], folder });
    await expect(child.until('answers', async () => null)).rejects.toThrow(/exit code 127[\s\S]*no-such-java/);
  });
});

describe('an owner', () => {
  it.each(['SIGKILL', 'SIGINT', 'SIGTERM'] as const)(
    'that ends by %s leaves neither process nor folder',
    async (signal) => {
      const [root, owner] = ['../../ts-node.js', './owner.ts'].map((path) =>
        fileURLToPath(new URL(path, import.meta.url)),
      );
      const child = spawn(process.execPath, ['--import', root!, owner!], { stdio: ['ignore', 'pipe', 'inherit'] });
      const line = await new Promise<string>((resolve) => child.stdout.once('data', (chunk) => resolve(String(chunk))));
      const started = JSON.parse(line) as { folder: string; pid: number };
      expect({ alive: isAlive(started.pid), folder: existsSync(started.folder) }).toEqual({
        alive: true,
        folder: true,
      });
      child.kill(signal);
      await until(() => !isAlive(started.pid) && !existsSync(started.folder));
    },
  );
});

it('the cause is told from the first error on, else by the last lines', () => {
  const lines = (count: number, text: string): string[] =>
    Array.from({ length: count }, (_, index) => `${text} ${index}`);
  expect(cause([...lines(50, 'INFO'), 'ERROR it broke', ...lines(50, 'at')].join('\n')).split('\n')).toEqual([
    'Its log says:',
    '  ERROR it broke',
    ...lines(19, '  at'),
  ]);
  expect(cause(lines(50, 'INFO').join('\n')).split('\n').at(-1)).toBe('  INFO 49');
});

it('a free port is below those that outgoing connections take', async () => {
  const port = await freePort();
  expect(port).toBeGreaterThanOrEqual(13_000);
  expect(port).toBeLessThan(32_768);
});
