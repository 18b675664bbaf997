import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { specFolder } from '../../src/claims/index.ts';
import { runTlc, type TlcResult } from '../../src/tlc/index.ts';
import { watchJava } from './watchJava.ts';

/** Constants of a model that have another value, as TLA+ text. */
export type Constants = Readonly<Record<string, string>>;

export interface Measuring {
  readonly seconds: number;
  readonly signal: AbortSignal;
  /** Ends the search after so many distinct states. */
  readonly maxStates?: number;
  /** Random behaviours of so many states instead of a search. */
  readonly behaviours?: { readonly count: number; readonly depth: number };
}

/** A model with other constants, all of its properties checked with one worker and a heap of at most 4 GB. */
export async function measureModel(
  model: string,
  constants: Constants,
  { seconds, signal, maxStates, behaviours }: Measuring,
): Promise<TlcResult & { readonly cpuSeconds: number; readonly peakMb: number }> {
  const own = await mkdtemp(join(tmpdir(), 'leader-epoch-growth-'));
  const java = watchJava();
  try {
    const enough =
      maxStates === undefined ? '' : `Enough == TLCGet("distinct") < ${maxStates} \\/ TLCSet("exit", TRUE)\n`;
    const config = await readFile(join(specFolder, 'models', `${model}.cfg`), 'utf8');
    await writeFile(join(own, 'Growth.tla'), `---- MODULE Growth ----\nEXTENDS ${model}\n${enough}====\n`);
    await writeFile(join(own, 'Growth.cfg'), configWith(config, constants, maxStates === undefined ? '' : 'Enough '));
    const result = await runTlc({
      spec: join(own, 'Growth.tla'),
      library: [specFolder, join(specFolder, 'models')],
      checkDeadlock: false,
      heapMb: 4_096,
      timeoutMs: seconds * 1_000,
      signal,
      ...(behaviours && { simulate: { traces: behaviours.count }, depth: behaviours.depth }),
    });
    return { ...result, ...java.stop() };
  } finally {
    java.stop();
    await rm(own, { recursive: true, force: true });
  }
}

/** Pure: the configuration with these constants, and one invariant more. */
export function configWith(config: string, constants: Constants, invariant: string): string {
  const changed = Object.entries(constants).reduce(
    (text, [name, value]) => text.replace(new RegExp(`^( *${name} =).*`, 'm'), `$1 ${value}`),
    config,
  );
  return changed.replace(/^INVARIANTS /m, `INVARIANTS ${invariant}`);
}
