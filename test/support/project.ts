import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Ran } from './io.ts';
import { ROOT } from './spec.ts';

/** A copy of the project to break something in; its dependencies are the same ones. */
export function copyOfProject(folder: string): string {
  const project = join(folder, 'project');
  for (const part of [
    'bin',
    'explorer',
    'package-lock.json',
    'package.json',
    'spec',
    'src',
    'traces',
    'ts-node.js',
    'ts-node-hooks.js',
    'tsconfig.json',
  ]) {
    cpSync(join(ROOT, part), join(project, part), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'));
  return project;
}

/** Starts the program as a user does. */
export function start(project: string, argv: readonly string[], env: NodeJS.ProcessEnv = process.env): ChildProcess {
  return spawn(process.execPath, ['bin/leader-epoch.js', ...argv], {
    cwd: project,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Runs the program to its end. */
export async function runProgram(project: string, argv: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ran> {
  return ended(start(project, argv, env));
}

export async function ended(child: ChildProcess): Promise<Ran> {
  const said = { out: '', err: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said.out += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said.err += text;
  });
  const exitCode = await new Promise<number>((done) => child.on('close', (code) => done(code ?? -1)));
  return { exitCode, out: said.out.trimEnd(), err: said.err.trimEnd() };
}
