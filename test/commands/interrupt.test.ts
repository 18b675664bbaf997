import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { run } from '../support/io.ts';
import { ended, start } from '../support/project.ts';
import { ownFolder, ROOT } from '../support/spec.ts';
import { describeWithTlc, PATIENCE_MS } from '../support/tlc.ts';

/** `unanswered-stored` has 1,709, `fast-restart-loss` 6,298. */
const FEW_STATES = 2_000;
const onProgress = vi.hoisted(() => vi.fn((_checked: number, _of: number): unknown => null));
vi.mock('../../src/conform/index.ts', async (original) => {
  const conform = await original<typeof import('../../src/conform/index.ts')>();
  const checkGraph: typeof conform.checkGraph = (states, subject, options) =>
    conform.checkGraph(states, subject, { ...options, onProgress });
  return { ...conform, checkGraph };
});

let at: ReturnType<typeof ownFolder>;
let temporary: string;
beforeEach(() => {
  at = ownFolder();
  temporary = join(at.path, 'temporary');
  mkdirSync(temporary);
});
afterEach(() => at.remove());

/** Command lines of processes that work in the test's own temporary folder. */
function processes(): string[] {
  const listed = execFileSync('ps', ['-A', '-ww', '-o', 'args='], { encoding: 'utf8' });
  return listed.split('\n').filter((line) => line.includes(temporary));
}

function leftovers(): string[] {
  // TypeScript's own cache is none of ours.
  return readdirSync(temporary).filter(
    (name) => !name.startsWith('v8-compile-cache') && !name.startsWith('node-compile-cache'),
  );
}

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 600 && !condition(); tries++) await new Promise((done) => setTimeout(done, 100));
  expect(condition()).toBe(true);
}

describeWithTlc('Ctrl-C', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    '(%s) ends a model check, with no process and no file left',
    async (signal) => {
      const argv = ['check', 'kip320-clean-three', 'kip101-survives', '--fresh', '--jobs', '2'];
      const child = start(ROOT, argv, { ...process.env, TMPDIR: temporary });
      const end = ended(child);
      await until(() => processes().filter((line) => line.includes('tlc2.TLC')).length === 2);
      expect(leftovers()).toHaveLength(2);
      child.kill(signal);

      const { exitCode, out, err } = await end;
      expect([exitCode, err]).toEqual([2, '']);
      expect(out).toContain('  ? kip320-clean-three           could not tell: The model check was cancelled.');
      expect(out).toMatch(/^0 of 2 claims as claimed, 2 undecided, in /m);
      await until(() => processes().length === 0);
      expect(leftovers()).toEqual([]);
    },
    PATIENCE_MS,
  );

  test('before the first model check ends all at once', async () => {
    const stop = new AbortController();
    stop.abort();
    const { exitCode, out } = await run(['check', 'fast-restart-told', 'second-round', '--fresh'], {
      signal: stop.signal,
    });
    expect(exitCode).toBe(2);
    expect(out).toMatch(/^0 of 2 claims as claimed, 2 undecided, in /);

    const main = await run([], { signal: stop.signal });
    expect(main.exitCode).toBe(2);
    expect(main.out.split('\n').at(-1)).toMatch(/^Undecided: /);
  });

  test(
    'while a graph is held is no mistake of the program, and what was found before is told',
    async () => {
      const stop = new AbortController();
      // The first graph is held to its end; the second is not.
      onProgress.mockImplementation((_checked, of) => of > FEW_STATES && stop.abort());
      const argv = ['conform', 'unanswered-stored', 'fast-restart-loss', '--system', 'disk', '--jobs', '1'];
      const { exitCode, err, out } = await run(argv, { signal: stop.signal });
      const [first, second, last] = out.split('\n');
      expect([exitCode, err]).toEqual([2, '']);
      expect(first).toMatch(/^ {2}✓ unanswered-stored +[\d,]+ states, [\d,]+ steps, all equal/);
      expect(second).toBe('  ? fast-restart-loss            could not tell: It was stopped before its end.');
      expect(last).toMatch(/^1 of 2 models conform, 1 undecided: /);
    },
    PATIENCE_MS,
  );
});
