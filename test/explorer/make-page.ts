import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TestProject } from 'vitest/node';
import { run } from '../support/io.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the page is that `leader-epoch report` wrote. */
    pageUrl: string;
  }
}

/** Writes the page once, as a user would. */
export default async function makePage(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'leader-epoch-page-'));
  const file = join(folder, 'page.html');
  const { exitCode, err } = await run(['report', '--out', file]);
  if (exitCode !== 0) throw new Error(`report failed: ${err}`);
  project.provide('pageUrl', pathToFileURL(file).href);
  return () => rm(folder, { recursive: true, force: true });
}
