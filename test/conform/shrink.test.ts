import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { loadModel, shrink } from '../../src/conform/index.ts';
import type { PageData } from '../../src/page/index.ts';
import { judge, Run } from '../../src/replay/index.ts';
import type { WorldStep } from '../../src/systems/system.ts';
import { run } from '../support/io.ts';
import { ownFolder } from '../support/spec.ts';
import { TRACES } from '../support/traces.ts';

/** `Write A all`: an action and its arguments. */
function steps(...texts: string[]): WorldStep[] {
  return texts.map((text) => {
    const [action = '', ...args] = text.split(' ');
    return { action, args: args.map((arg) => (/^\d+$/.test(arg) && action !== 'Write' ? Number(arg) : arg)) };
  });
}

const at = ownFolder();
afterAll(at.remove);

test('a long run that loses a record is cut to a few steps, none of which can be left out', () => {
  const { config, constants } = loadModel('FastRestartLoss');
  const property = 'CommittedSurvives';
  // The fast restart with much beside it: fetches that bring nothing, a leader that is taken out and comes back.
  const round = steps('SendFetch B', 'HandleFetch A B', 'HandleFetchResponse B');
  const failing = [
    ...[...round, ...round, ...round],
    ...steps('Write A all', 'ShrinkIsr A B'),
    ...[...round, ...round],
    ...steps('SendFetch B', 'HandleFetch A B', 'ExpandIsr A B', 'HandleFetchResponse B', 'Write A all'),
    ...round,
    ...steps(
      'SendFetch B',
      'HandleFetch A B',
      'Crash B',
      'Elect A',
      'Restart B',
      'BecomeLeader A 2',
      'BecomeFollower B 2',
    ),
    ...[...round, ...round],
    ...steps('SendFetch B', 'HandleFetch A B', 'ExpandIsr A B', 'HandleFetchResponse B', 'Write A all'),
    ...round,
    ...steps('SendFetch B', 'HandleFetch A B', 'Crash B', 'Restart B', 'BecomeFollower B 2'),
    ...steps('Crash A', 'Elect B', 'BecomeLeader B 3'),
  ];
  const shrunk = shrink(failing, config, property, { constants, meta: {} })!;
  expect(shrunk.broken).toMatch(/^m\d, committed at offset \d, is not in the log of the leader B$/);
  // No shorter one exists: TLC's has as many states.
  expect(shrunk.trace.states).toHaveLength(12);
  const breaks = (some: readonly WorldStep[]): boolean => {
    const again = new Run(config);
    return (
      some.every((step) => again.step(step).kind === 'taken') && judge(property, again.observe(), again.ghosts) !== null
    );
  };
  expect(breaks(shrunk.steps)).toBe(true);
  shrunk.steps.forEach((_, left) => {
    expect(breaks(shrunk.steps.filter((_step, index) => index !== left))).toBe(false);
  });
});

test('a run that breaks nothing has nothing to shrink', () => {
  const { config, constants } = loadModel('FastRestartLoss');
  expect(shrink(steps('Write A all'), config, 'CommittedSurvives', { constants, meta: {} })).toBeNull();
});

test('the command writes a trace that can be replayed', async () => {
  const out = join(at.path, 'short.itf.json');
  const given = join(TRACES, 'hard-failures-told.itf.json');
  const shrunk = await run(['shrink', given, '--out', out, '--json']);
  expect(shrunk.exitCode).toBe(0);
  const { before, steps: left, property } = JSON.parse(shrunk.out);
  expect({ before, property }).toEqual({ before: 16, property: 'FollowerAgrees' });
  expect(left.length).toBeLessThanOrEqual(16);
  const replayed = await run(['replay', out]);
  expect([replayed.exitCode, replayed.err]).toEqual([0, '']);
});

test('... and a page that opens with it, and says what to do with both', async () => {
  const out = join(at.path, 'told.itf.json');
  const page = join(at.path, 'told.html');
  const shrunk = await run(['shrink', join(TRACES, 'fast-restart-told.itf.json'), '--out', out, '--page', page]);
  expect(shrunk.exitCode).toBe(0);
  expect(shrunk.out).toContain(`${out} has it as ITF: \`leader-epoch replay ${out} --story\` tells it step by step.`);
  expect(shrunk.out).toContain(`${page} opens with it, in a browser.`);
  const packed = /id="data">([^<]+)</.exec(readFileSync(page, 'utf8'))?.[1] ?? '';
  const data = JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString('utf8')) as PageData;
  expect(data.first).toBe('fast-restart-told-shrunk');
  expect(data.traces[0]).toEqual({ name: 'fast-restart-told-shrunk', text: readFileSync(out, 'utf8') });
});
