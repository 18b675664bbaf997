import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { findJar, findJava } from '../../src/tlc/index.ts';

const jar = await findJar();
const java = await findJava();
/** Why TLC cannot run here; null when it can. */
export const unable = !java.ok ? java.message : !jar.ok ? jar.message : null;
export const realJar = jar.ok ? jar.jar : null;

/** A group of tests that need Java and a jar. */
export function describeWithTlc(name: string, body: () => void): void {
  describe.skipIf(unable !== null)(unable === null ? name : `${name} (skipped: ${unable})`, body);
}

/** A folder with files in it, and a folder for temporary files beside it, which the test sees empty again. */
export interface Place {
  readonly root: string;
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** For a program of its own: where its temporary files go. */
  readonly temporary: { TMPDIR: string };
  leftovers(): string[];
  /** Command lines of processes that name the folder. */
  processes(): string[];
  remove(): void;
}

export function place(name: string, files: Readonly<Record<string, string>>): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'test-tlc-')));
  const folder = join(root, name);
  const temporary = join(root, 'temporary');
  mkdirSync(folder);
  mkdirSync(temporary);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  const before = process.env.TMPDIR;
  process.env.TMPDIR = temporary;
  return {
    root,
    folder,
    env: { ...process.env, ...(realJar === null ? {} : { TLA2TOOLS_JAR: realJar.path }) },
    temporary: { TMPDIR: temporary },
    // TypeScript's own cache, of a program that a test starts, is none of ours.
    leftovers: () => readdirSync(temporary).filter((name) => !name.startsWith('v8-compile-cache')),
    processes: () => {
      const listed = execFileSync('ps', ['-A', '-ww', '-o', 'args='], { encoding: 'utf8' });
      return listed.split('\n').filter((line) => line.includes(root));
    },
    remove: () => {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
      rmSync(root, { recursive: true, force: true });
    },
  };
}

export const COUNTER = `---- MODULE Counter ----
EXTENDS Naturals, TLC
VARIABLE x
Init == x = 0
Up == x < 3 /\\ x' = x + 1
Down == x = 3 /\\ x' = 0 /\\ PrintT(<<"wrapped", x>>)
Next == Up \\/ Down
Small == x < 2
Natural == x \\in Nat
====
`;

export const ENDLESS = `---- MODULE Endless ----
EXTENDS Naturals
VARIABLE x
Init == x = 0
Next == x' = x + 1
====
`;

export const INIT_NEXT = 'INIT Init\nNEXT Next\n';
