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
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
  isRead = false;
});
// Ctrl-C: children end and temporary files go; a second one does not wait for that.
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    if (stop.signal.aborted) process.exit(2);
    stop.abort();
  });
}
process.exitCode = await main(process.argv.slice(2), {
  out: (line) => isRead && process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
  isTerminal: process.stdout.isTTY === true && !process.env.CI,
  columns: process.stdout.columns ?? 80,
  env: process.env,
  signal: stop.signal,
});
