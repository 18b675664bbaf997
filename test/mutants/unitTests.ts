import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import type { Mutant } from './mistakes.ts';
import { REPLICA, ROOT } from './sandbox.ts';

/** Ten times what they take, for a machine with others on it: a loop without an end is no time-out to vitest. */
const TIMEOUT_MS = 300_000;

/** Those of src/replica take seconds; the walks hold it against TLC on random schedules, with three replicas, too. */
export const UNIT_TESTS = ['test/replica/**/*.test.ts', 'test/names.test.ts'];
export const WALKS = ['test/replay/walks.test.ts'];

/** The first of the tests that the mutant fails; null if it passes them all. */
export async function failedTest({ file, after }: Mutant, tests: readonly string[]): Promise<string | null> {
  const own = await mkdtemp(join(tmpdir(), 'leader-epoch-mutant-'));
  try {
    const text = join(own, 'mutant.ts');
    const report = join(own, 'report.json');
    await writeFile(text, after);
    const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
    const options = ['--config', 'test/mutants/vitest.config.ts', '--reporter', 'json', '--outputFile', report];
    const { exitCode, timedOut } = await execa(process.execPath, [vitest, 'run', ...options], {
      cwd: ROOT,
      env: { MUTANT_FILE: join(REPLICA, file), MUTANT_TEXT: text, MUTANT_TESTS: tests.join(' ') },
      reject: false,
      timeout: TIMEOUT_MS,
    });
    if (timedOut) return 'the tests never end';
    return exitCode === 0 ? null : nameOfFailed(JSON.parse(await readFile(report, 'utf8')) as Report);
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/** As far as it is read here. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

function nameOfFailed({ testResults }: Report): string {
  const failed = testResults.find(({ status }) => status === 'failed');
  const test = failed?.assertionResults.find(({ status }) => status === 'failed')?.fullName;
  return `test ${failed?.name.slice(ROOT.length)}${test === undefined ? '' : `: ${test}`}`;
}
