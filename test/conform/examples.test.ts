import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { run } from '../support/io.ts';
import { change, ownFolder, ROOT } from '../support/spec.ts';
import { describeWithTlc, PATIENCE_MS, quickJava } from '../support/tlc.ts';

const EXAMPLES = join(ROOT, 'examples/epoch-cache');
const at = ownFolder();
afterAll(at.remove);

const conform = (command: string, ...more: string[]) =>
  run(['conform', '--spec', join(EXAMPLES, 'EpochCacheModel.tla'), '--system', `process:${command}`, ...more], {
    env: quickJava,
  });

/** The program with one text of it changed. */
function withBug(file: string, before: string, after: string): string {
  const copy = join(at.path, file);
  writeFileSync(copy, readFileSync(join(EXAMPLES, file)));
  change(copy, before, after);
  return copy;
}

vi.setConfig({ testTimeout: PATIENCE_MS });

describeWithTlc('a program in another language', () => {
  describe.each([
    {
      language: 'Python',
      command: 'python3',
      file: 'epoch_cache.py',
      bug: ['entry["start"] < arg', 'entry["start"] <= arg'],
    },
    {
      language: 'Java',
      command: 'java -XX:TieredStopAtLevel=1',
      file: 'EpochCache.java',
      bug: ['start -> start >= arg', 'start -> start > arg'],
    },
  ])('in $language', ({ command, file, bug: [before = '', after = ''] }) => {
    test('conforms: every state, every step', async () => {
      const { exitCode, out, err } = await conform(`${command} ${join(EXAMPLES, file)}`);
      expect([exitCode, err]).toEqual([0, '']);
      expect(out).toContain('525 states, 4,185 steps, all equal');
    });

    test('and with a cache that is not cut with the log it fails at the first step that shows it', async () => {
      const { exitCode, out } = await conform(`${command} ${withBug(file, before, after)}`, '--json');
      expect(exitCode).toBe(1);
      const [{ verdict, deviations }] = JSON.parse(out).results;
      expect(verdict).toBe('differs');
      expect(deviations[0]).toMatchObject({
        kind: 'extra',
        path: [{ action: 'Write', args: [1] }],
        step: { action: 'Truncate', args: [0] },
        nearest: { differences: [{ path: 'cache[1]', specification: null, system: '[epoch |-> 1, start |-> 0]' }] },
      });
    });
  });
});

test('a system that cannot be put into a state is told what it lacks', async () => {
  const { exitCode, err } = await run(
    ['conform', '--spec', join(EXAMPLES, 'EpochCacheModel.tla'), '--system', 'nothing'],
    {
      env: quickJava,
    },
  );
  expect(exitCode).toBe(2);
  expect(err).toContain('There is no system "nothing". There are memory, disk, tcp, process:<command>, kafka-classes@');
});
