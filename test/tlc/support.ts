import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseState } from '../../src/tla/index.ts';
import type { TlcOutcome, TlcReport } from '../../src/tlc/index.ts';
import { parseTlcOutput } from '../../src/tlc/index.ts';
import { assertTrace, type Trace } from '../../src/trace/index.ts';

export const FIXTURES = fileURLToPath(new URL('../fixtures/tlc/', import.meta.url));

/** Bytes of `<name>.out`, its exit code and what came on stderr. */
export function fixture(name: string): { output: Buffer; exitCode: number | null; stderr: string } {
  const read = (extension: string): string | null => {
    const path = `${FIXTURES}${name}.${extension}`;
    return existsSync(path) ? readFileSync(path, 'utf8') : null;
  };
  const exit = read('exit');
  return {
    output: readFileSync(`${FIXTURES}${name}.out`),
    exitCode: exit === null ? null : Number(exit.trim().replace('exit=', '')),
    stderr: read('err') ?? read('out.err') ?? '',
  };
}

export function reportOf(name: string): TlcReport {
  const { output, exitCode, stderr } = fixture(name);
  return parseTlcOutput(output, exitCode, { stderr });
}

/** The outcome, which must be of this kind. */
export function outcomeOf<K extends TlcOutcome['kind']>(name: string, kind: K): Extract<TlcOutcome, { kind: K }> {
  return expectKind(reportOf(name).outcome, kind);
}

export function expectKind<K extends TlcOutcome['kind']>(
  outcome: TlcOutcome,
  kind: K,
): Extract<TlcOutcome, { kind: K }> {
  if (outcome.kind !== kind) throw new Error(`expected ${kind}, found ${JSON.stringify(outcome, safe)}`);
  return outcome as Extract<TlcOutcome, { kind: K }>;
}

/** A state written as TLC does. */
export const state = parseState;

/** The names of the actions, the initial state's null included. */
export function names(trace: Trace): (string | null)[] {
  assertTrace(trace);
  return trace.actions.map((action) => action?.name ?? null);
}

/** Wraps a text as TLC's `-tool` does. */
export function message(code: number, severity: number, text: string): string {
  return `@!@!@STARTMSG ${code}:${severity} @!@!@\n${text}\n@!@!@ENDMSG ${code} @!@!@\n`;
}

function safe(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value instanceof Map ? [...value] : value;
}
