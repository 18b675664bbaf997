import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterEach, describe, expect, it, test, vi } from 'vitest';
import { openSystem } from '../../src/open/index.ts';
import { ProcessError, type ProcessOptions, type ProcessSystem, processSystem } from '../../src/systems/process.ts';
import type { SystemConfig } from '../../src/systems/system.ts';
import { type FakeProcess, fakeProcess } from './fakeProcess.ts';

const config: SystemConfig = {
  replicas: ['A', 'B'],
  firstLeader: 'A',
  profileOf: { A: 'Kip101', B: 'Kip101' },
  minIsr: 1,
  lazyCheckpoint: false,
  resumeSameEpoch: false,
  oldNews: false,
};

const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of cleanUp.splice(0).reverse()) await end();
});

async function start(misbehaves?: string, options?: Partial<ProcessOptions>): Promise<ProcessSystem> {
  const fake = await made(misbehaves);
  const system = await fake.start(options);
  cleanUp.push(() => system.close());
  return system;
}

async function made(misbehaves?: string): Promise<FakeProcess> {
  const fake = await fakeProcess(misbehaves);
  cleanUp.push(() => fake.remove());
  return fake;
}

async function problemOf(promise: Promise<unknown>): Promise<{ problem: string; message: string }> {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ProcessError)) throw new Error(`no ProcessError but ${error}`);
  return { problem: error.problem, message: error.message };
}

/** One that has ended, but that nobody has asked about yet (an orphan in a container), is still known by its number. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return process.platform !== 'linux';
  }
}

/** Pipes are closed a moment before a process has ended. */
async function hasEnded(pid: number): Promise<void> {
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 10_000 });
}

describe('a process that speaks the protocol', () => {
  it('says what it can, is reset, takes steps and is observed', async () => {
    const system = await start();
    expect(system.name).toBe('fake');
    expect([...system.observable]).toEqual(['steps']);
    expect(system.hello.notObservable).toEqual({ log: 'it has none' });
    await system.reset(config);
    expect(await system.step({ action: 'Write', args: ['A', 'all'], id: 7 })).toEqual({
      kind: 'taken',
      effects: [{ kind: 'acknowledged', id: 7, acks: 'all' }],
    });
    expect(await system.observe()).toEqual({ steps: ['A', 'Write A all'] });
  });

  it('refuses a step with a reason, and goes on', async () => {
    const system = await start();
    await system.reset(config);
    expect(await system.step({ action: 'Flush', args: ['A'] })).toEqual({
      kind: 'refused',
      reason: 'nothing to flush',
    });
    expect(await system.step({ action: 'Crash', args: ['A'] })).toEqual({ kind: 'taken', effects: [] });
  });

  it('answers an error as data, and goes on', async () => {
    const system = await start(
      `if (request.request !== 'reset') return false; say({ error: 'disk full' }); return true;`,
    );
    expect(await problemOf(system.reset(config))).toEqual({ problem: 'failed', message: 'fake says: disk full' });
    expect(await system.observe()).toEqual({ steps: [] });
  });

  it('may fail with its log shown', async () => {
    const system = await start(
      `if (request.request === 'hello') console.error('no space');
       if (request.request !== 'reset') return false;
       say({ error: 'disk full' }); return true;`,
    );
    // The two pipes are read in any order.
    await vi.waitFor(async () => {
      expect((await problemOf(system.reset(config))).message).toBe(
        'fake says: disk full\nThe last lines of its log:\n  no space',
      );
    });
  });

  it('may have any sign in a text, begin with a byte order mark, and end lines as Windows does', async () => {
    const system = await start(
      `if (request.request === 'hello') process.stdout.write('\\ufeff');
       if (request.request !== 'step') return false;
       process.stdout.write(JSON.stringify({ kind: 'refused', reason: 'a\\u2028b\\u2029c\\u0085d' }) + '\\r\\n'); return true;`,
    );
    expect(await system.step({ action: 'Crash', args: ['A'] })).toEqual({
      kind: 'refused',
      reason: 'a\u2028b\u2029c\u0085d',
    });
  });

  it('may say as much as it likes on stderr, in one line too', async () => {
    const system = await start(
      `if (request.request === 'observe') { for (let i = 0; i < 100; i++) process.stderr.write('x'.repeat(1_000_000)); return false; }
       if (request.request === 'step') { process.stderr.write('\\nthe end\\n', () => process.exit(3)); return true; }
       return false;`,
    );
    expect(await system.observe()).toEqual({ steps: [] });
    expect((await problemOf(system.step({ action: 'Crash', args: ['A'] }))).message).toBe(
      `fake has died (exit code 3)\nThe last lines of its log:\n  ${'x'.repeat(1000)}…\n  the end`,
    );
  });

  it('may be closed twice', async () => {
    const system = await start();
    await system.close();
    await system.close();
    expect((await problemOf(system.observe())).message).toBe('fake has been closed');
  });
});

describe('a command line', () => {
  test.each([
    ['process: ', 'process: is followed by a command line.'],
    [
      "process:sh -c 'exec mine'",
      "process:sh -c 'exec mine' is divided at blanks, without a shell: what needs quotes goes into a script.",
    ],
  ])('%s is none', async (name, message) => {
    await expect(openSystem(name, process.env)).rejects.toThrow(message);
  });
});

describe('a process that does not', () => {
  it('cannot be started', async () => {
    const started = processSystem({ command: 'no-such-command-at-all', args: [], name: 'mine' });
    expect(await problemOf(started)).toEqual({
      problem: 'notStarted',
      message: 'mine cannot be started: no-such-command-at-all: the command was not found',
    });
  });

  it('answers what is no JSON', async () => {
    const system = await start(
      `if (request.request !== 'observe') return false; console.log('Hi there'); return true;`,
    );
    expect(await problemOf(system.observe())).toEqual({
      problem: 'protocol',
      message: 'fake answered what is no JSON: Hi there',
    });
    expect((await problemOf(system.observe())).problem).toBe('protocol');
  });

  it('answers in a shape of its own', async () => {
    const system = await start(`if (request.request !== 'step') return false; say({ kind: 'perhaps' }); return true;`);
    const { problem, message } = await problemOf(system.step({ action: 'Crash', args: ['A'] }));
    expect(problem).toBe('protocol');
    expect(message).toMatch(
      /^fake answered \{"request":"step","action":"Crash","args":\["A"\]\} in a shape of its own/,
    );
    // It has been ended.
    expect(await problemOf(system.observe())).toEqual({ problem, message });
  });

  it('answers with a million mistakes, of which three are told', async () => {
    const system = await start(
      `if (request.request !== 'step') return false; say({ kind: 'taken', effects: Array(1_000_000).fill(0) }); return true;`,
    );
    const { message } = await problemOf(system.step({ action: 'Crash', args: ['A'] }));
    expect(message.match(/expected object/g)).toHaveLength(3);
    expect(message.length).toBeLessThan(500);
  });

  it('does not show what it says it shows', async () => {
    const system = await start(
      `if (request.request !== 'observe') return false; say({ observation: { step: [] } }); return true;`,
    );
    expect(await problemOf(system.observe())).toEqual({
      problem: 'protocol',
      message: 'fake says that it shows steps, and its observation does not',
    });
  });

  it('answers without end', async () => {
    const system = await start(
      `if (request.request !== 'observe') return false;
       const more = () => process.stdout.write('x'.repeat(1_000_000), more); more(); return true;`,
    );
    expect(await problemOf(system.observe())).toEqual({
      problem: 'protocol',
      message: 'fake printed a line of more than 67108864 characters',
    });
  });

  it('answers what would move the cursor', async () => {
    const system = await start(
      `if (request.request !== 'observe') return false; process.stdout.write('\\u001b[31mred\\u0007\\n'); return true;`,
    );
    expect((await problemOf(system.observe())).message).toBe('fake answered what is no JSON: \\u{1b}[31mred\\u{7}');
  });

  it('speaks another version', async () => {
    const started = start(`say({ ...hello, protocol: 2 }); return true;`);
    expect((await problemOf(started)).message).toBe('fake speaks protocol 2, this is 1');
  });

  it('dies: how, and its last words', async () => {
    const system = await start(
      `if (request.request !== 'step') return false; console.error('no memory left'); process.exit(3);`,
    );
    expect(await problemOf(system.step({ action: 'Crash', args: ['A'] }))).toEqual({
      problem: 'died',
      message: 'fake has died (exit code 3)\nThe last lines of its log:\n  no memory left',
    });
    expect((await problemOf(system.observe())).problem).toBe('died');
  });

  it('is killed from outside', async () => {
    const system = await start(`if (request.request !== 'step') return false; process.kill(process.pid, 'SIGKILL');`);
    expect((await problemOf(system.step({ action: 'Crash', args: ['A'] }))).message).toMatch(
      /has died \(signal SIGKILL\)/,
    );
  });

  it('does not answer in time', async () => {
    const system = await start(
      `if (request.request !== 'observe') return false; console.error('thinking'); return true;`,
      {
        timeoutMs: 100,
      },
    );
    expect(await problemOf(system.observe())).toEqual({
      problem: 'timeout',
      message: 'fake did not answer within 100 ms to {"request":"observe"}\nThe last lines of its log:\n  thinking',
    });
  });

  it('says something without having been asked', async () => {
    const system = await start(
      `if (request.request === 'reset') setTimeout(() => console.log('by the way'), 20); return false;`,
    );
    await system.reset(config);
    await sleep(300);
    expect((await problemOf(system.observe())).message).toBe(
      'fake said something without having been asked: by the way',
    );
  });

  it('is ended though it ignores close, the end of stdin and SIGTERM', async () => {
    const system = await start(
      `globalThis.stubborn ??= (process.on('SIGTERM', () => {}), setInterval(() => {}, 1000));
       if (request.request === 'observe') { say({ observation: { steps: [process.pid] } }); return true; }
       if (request.request === 'close') { say({ ok: true }); return true; }
       return false;`,
    );
    const [pid] = (await system.observe()).steps as [number];
    expect(isAlive(pid)).toBe(true);
    await system.close();
    expect(isAlive(pid)).toBe(false);
  });
});

describe('what a process has started', () => {
  /** A child of the process that reads nothing, ends by itself never, and holds the pipes of its parent. */
  const childOf = (detached: boolean) =>
    `if (request.request === 'reset') {
       import('node:child_process').then(({ spawn }) => {
         globalThis.child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit', detached: ${detached} });
         say({ ok: true });
       });
       return true;
     }
     if (request.request === 'observe') { say({ observation: { steps: [globalThis.child.pid] } }); return true; }
     return false;`;

  async function closed(detached: boolean): Promise<number> {
    const system = await start(childOf(detached));
    await system.reset(config);
    const [pid] = (await system.observe()).steps as [number];
    expect(isAlive(pid)).toBe(true);
    await system.close();
    return pid;
  }

  it('ends with it', async () => {
    await hasEnded(await closed(false));
  });

  it('is not waited for, if it has gone its own way', async () => {
    process.kill(await closed(true), 'SIGKILL');
  });
});

describe('our own end', () => {
  /** A program of ours with one process under it, which prints both process ids and then does as it is told. */
  async function program(then: string) {
    const fake = await made(
      `globalThis.stubborn ??= (process.on('SIGTERM', () => {}), process.on('SIGINT', () => {}), setInterval(() => {}, 1000));
       if (request.request === 'observe') { say({ observation: { steps: [process.pid] } }); return true; }
       return false;`,
    );
    const folder = await mkdtemp(join(tmpdir(), 'leader-epoch-parent-'));
    cleanUp.push(() => rm(folder, { recursive: true, force: true }));
    const source = new URL('../../src/systems/process.ts', import.meta.url).href;
    const options = { command: process.execPath, args: [fake.path], name: 'fake', graceMs: 100 };
    await writeFile(
      join(folder, 'parent.mjs'),
      `const { processSystem } = await import(${JSON.stringify(source)});
       const system = await processSystem(${JSON.stringify(options)});
       console.log((await system.observe()).steps[0]);
       ${then}`,
    );
    const register = fileURLToPath(new URL('../../ts-node.js', import.meta.url));
    const parent = execa(process.execPath, ['--import', register, join(folder, 'parent.mjs')], { reject: false });
    const child = await new Promise<number>((resolve, reject) => {
      parent.stdout.once('data', (data: Buffer) => resolve(Number(data.toString())));
      void parent.then((result) => reject(new Error(`the parent ended: ${String(result.stderr)}`)));
    });
    return { parent, child };
  }

  it.each(['SIGINT', 'SIGTERM'] as const)('by %s takes even a stubborn process with it', async (signal) => {
    const { parent, child } = await program('setInterval(() => {}, 1000);');
    expect(isAlive(child)).toBe(true);
    parent.kill(signal);
    expect((await parent).signal).toBe(signal);
    await hasEnded(child);
  });

  it('by process.exit does so too', async () => {
    const { parent, child } = await program('setTimeout(() => process.exit(5), 50);');
    expect((await parent).exitCode).toBe(5);
    await hasEnded(child);
  });
});
