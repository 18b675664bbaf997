import { readFileSync } from 'node:fs';
import { parseState, type Value } from '../../src/tla/index.ts';

/** The states of a captured `-tool` output. The real reader is src/tlc's; this one does for well-behaved fixtures. */
export function statesOf(fixture: string): Map<string, Value>[] {
  const output = readFileSync(new URL(`../fixtures/tlc/${fixture}`, import.meta.url), 'utf8');
  const messages = output.matchAll(/^@!@!@STARTMSG 2217:4 @!@!@\n[^\n]*\n(.*?)^@!@!@ENDMSG 2217/gms);
  return Array.from(messages, (message) => parseState(message[1]!));
}
