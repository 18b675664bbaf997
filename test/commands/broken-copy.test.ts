import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { copyOfProject, runProgram } from '../support/project.ts';
import { change, ownFolder } from '../support/spec.ts';
import { describeWithTlc, PATIENCE_MS, quickJava } from '../support/tlc.ts';
import { recordedNames } from '../support/traces.ts';

let at: ReturnType<typeof ownFolder>;
let project: string;
beforeEach(() => {
  at = ownFolder();
  project = copyOfProject(at.path);
});
afterEach(() => at.remove());

const traces = recordedNames.map((name) => `traces/${name}.itf.json`);
const TRUNCATION = 'src/replica/truncation.ts';

describe('a rule of truncation that is broken in one line', () => {
  test('makes the replay name the step and both values: the cut before KIP-101', async () => {
    change(join(project, TRUNCATION), 'return Math.min(hw, leo);', 'return leo;');
    const { exitCode, out, err } = await runProgram(project, ['replay', ...traces]);
    expect([exitCode, err]).toEqual([1, '']);
    expect(out).toContain(
      [
        '✗ fast-restart-told            differs at state 9, after BecomeFollower(B, 1)',
        '    After step 9, BecomeFollower(B, 1), memory differs in one place:',
        '      log["B"][1]  expected nothing',
        '                   got      [epoch |-> 1, id |-> 1]',
      ].join('\n'),
    );
    // Of the others, each is as it was or differs: none is passed over.
    expect(out.match(/^[✓✗] /gm)).toHaveLength(traces.length);
  });

  test('makes the replay name the step and both values: what the follower of KIP-279 knows of the answer', async () => {
    change(
      join(project, TRUNCATION),
      'if (ownEnd.endOffset === UNDEFINED_EPOCH_OFFSET) return byOffset;',
      'if (ownEnd.endOffset === UNDEFINED_EPOCH_OFFSET) return { offset: 0, done: true };',
    );
    const { exitCode, out } = await runProgram(project, ['replay', 'traces/kip279-as-released.itf.json']);
    expect(exitCode).toBe(1);
    expect(out).toContain('After step 11, HandleOffsetsForLeaderEpochResponse(B), memory differs in ');
    expect(out).toMatch(/log\["B"\]\[1\] +expected \[epoch \|-> 2, id \|-> 2\] *\n? +got +nothing/);
  });

  test('makes the main job fail where a schedule is not mended any more, also without Java: the cut of KIP-101', async () => {
    change(
      join(project, TRUNCATION),
      'const byOffset = { offset: Math.min(answer.endOffset, own.leo), done: true };',
      'const byOffset = { offset: own.leo, done: true };',
    );
    const { exitCode, out } = await runProgram(project, [], { ...process.env, PATH: at.path, JAVA_HOME: '' });
    expect(exitCode).toBe(1);
    expect(out).toContain('    ✗ under Kip101: A has m2 of epoch 1 at offset 1, where B has m3 of epoch 2');
    expect(out.split('\n').at(-1)).toMatch(/^NOT all as claimed: /);
  });
});

describeWithTlc('a specification', () => {
  test(
    'with an error makes check say where, and no more',
    async () => {
      change(join(project, 'spec/EpochCache.tla'), 'LatestEpoch(cache) == IF', 'LatestEpoch(cache) == IF IF');
      const { exitCode, out, err } = await runProgram(project, ['check', 'second-round'], quickJava);
      expect([exitCode, err]).toEqual([2, '']);
      const lines = readFileSync(join(project, 'spec/EpochCache.tla'), 'utf8').split('\n');
      expect(lines.findIndex((line) => line.includes('IF IF'))).toBeGreaterThan(0);
      expect(out).toMatch(
        / {2}\? second-round +could not tell: The specification has errors \(EpochCache\.tla, line \d+, column \d+\): \S/,
      );
      expect(out).toMatch(/^0 of 1 claim as claimed, 1 undecided, in /m);
      expect(out).not.toMatch(/^\s+at /m);
      expect(out.split('\n')).toHaveLength(2);
    },
    PATIENCE_MS,
  );

  test(
    'with a rule that is broken makes check fail, and name the property',
    async () => {
      change(
        join(project, 'spec/LeaderEpoch.tla'),
        '[] own.epoch # answer.epoch  -> [offset |-> Min(own.endOffset, Leo(f)), done |-> FALSE]',
        '[] own.epoch # answer.epoch  -> TruncationByOffset(f, answer)',
      );
      const argv = ['check', 'second-round', 'no-one-to-ask', '--json'];
      const env = { ...quickJava, TMPDIR: at.path };
      const { exitCode, out, err } = await runProgram(project, argv, env);
      expect([exitCode, err]).toEqual([1, '']);
      expect(JSON.parse(out)).toMatchObject({
        version: 1,
        command: 'check',
        exitCode: 1,
        results: [
          { claim: 'second-round', verdict: 'notAsClaimed', reasons: ['FollowerAgrees is violated, after 17 states'] },
          { claim: 'no-one-to-ask', verdict: 'asClaimed' },
        ],
      });
    },
    PATIENCE_MS,
  );
});
