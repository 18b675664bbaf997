import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const { MUTANT_FILE, MUTANT_TEXT = '', MUTANT_TESTS = '' } = process.env;

/** The tests of src/replica, with one of its files changed: see unitTests.ts. */
export default defineConfig({
  plugins: [
    {
      name: 'mutant',
      enforce: 'pre',
      load: (id) => (id === MUTANT_FILE ? readFileSync(MUTANT_TEXT, 'utf8') : null),
    },
  ],
  test: {
    include: MUTANT_TESTS.split(' '),
    bail: 1,
    maxWorkers: 1,
    testTimeout: 60_000,
  },
});
