#!/usr/bin/env node
// Runs what is compiled, which only a package has, or else the sources through ts-node.
import { existsSync } from 'node:fs';

const compiled = new URL('../dist/cli.js', import.meta.url);
const isPackage = existsSync(compiled);
if (!isPackage) await import('../ts-node.js');

process.setSourceMapsEnabled(true);
const { main } = await import(isPackage ? compiled.href : '../src/cli.ts');

// A reader that has seen enough (`| head`) is no error: nothing more is printed, and the exit code stays what it is.
let isRead = true;
// A place that takes no more (a full disk) is: what is missing there must not look like a verdict.
let isLost = false;
process.stdout.on('error', ({ code }) => {
  isRead = false;
  if (code === 'EPIPE') return;
  isLost = true;
  process.exitCode = 2;
  process.stderr.write(`Standard output cannot be written (${code}): the exit code is no verdict.\n`);
});
// Who reads no errors has chosen so.
process.stderr.on('error', () => {});
// Ctrl-C: children end and temporary files go; a second one does not wait for that.
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    if (stop.signal.aborted) process.exit(2);
    stop.abort();
  });
}
const exitCode = await main(process.argv.slice(2), {
  out: (line) => isRead && process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
  isTerminal: process.stdout.isTTY === true && !process.env.CI,
  columns: process.stdout.columns ?? 80,
  env: process.env,
  signal: stop.signal,
});
process.exitCode = isLost ? 2 : exitCode;
