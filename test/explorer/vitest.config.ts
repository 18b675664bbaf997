import { defineConfig } from 'vitest/config';
import { tellsWhatRan } from '../../src/page/index.ts';

/** The tests of the page in a real browser: `npm run test:page`. */
export default defineConfig({
  // As in the page itself, the implementation tells what ran.
  plugins: [tellsWhatRan()],
  test: {
    include: ['test/explorer/**/*.page.ts'],
    globalSetup: ['test/explorer/make-page.ts'],
    maxWorkers: 2,
    // On a busy machine a browser may be late.
    retry: 3,
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
});
