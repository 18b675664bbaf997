import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { explainFailure, specFolder } from '../claims/index.ts';
import { readGraphFile, type StateGraph } from '../graph/index.ts';
import { print, str } from '../tla/index.ts';
import { runTlc } from '../tlc/index.ts';

export interface DumpOptions {
  readonly folder?: string;
  /** Instead of the model's own. */
  readonly profile?: string;
  /** Known to have few states (`BRIEF_STATES`). Default false. */
  readonly brief?: boolean;
  /** TLC's. Default 1. */
  readonly workers?: number;
  readonly env?: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
  readonly onProgress?: (distinct: number) => void;
  /** Where the dump is to stay. Default: it is removed once it is read. */
  readonly file?: string;
}

export type Dump =
  | { readonly kind: 'graph'; readonly graph: StateGraph; readonly tlcMs: number }
  | { readonly kind: 'couldNotTell'; readonly reason: string };

/** TLC's whole reachable graph of a model: without its properties, for a violated one would end the search. */
export async function dumpGraph(model: string, options: DumpOptions = {}): Promise<Dump> {
  const folder = options.folder ?? specFolder;
  return dumpModule(join(folder, 'models'), model, [folder], options);
}

/** The same of any module with its configuration beside it. `libraries`: where the modules are that it extends. */
export async function dumpModule(
  place: string,
  model: string,
  libraries: readonly string[],
  options: DumpOptions = {},
): Promise<Dump> {
  const own = await mkdtemp(join(tmpdir(), 'leader-epoch-graph-'));
  try {
    // TLC looks for the configuration beside the module.
    const spec = join(own, `${model}.tla`);
    await copyFile(join(place, `${model}.tla`), spec);
    const file = options.file ?? join(own, `${model}.dot`);
    const text = await readFile(join(place, `${model}.cfg`), 'utf8');
    await writeFile(join(own, `${model}.cfg`), configWithoutProperties(text, options.profile));
    const started = performance.now();
    const { outcome, statistics } = await runTlc({
      spec,
      library: [...libraries, place],
      checkDeadlock: false,
      workers: options.workers ?? 1,
      brief: options.brief ?? false,
      dumpDot: { file, options: ['actionlabels'] },
      ...(options.env && { env: options.env }),
      ...(options.signal && { signal: options.signal }),
      onProgress: (progress) => options.onProgress?.(progress.statistics.distinct ?? 0),
    });
    if (outcome.kind !== 'success') return { kind: 'couldNotTell', reason: explainFailure(outcome) };
    const tlcMs = performance.now() - started;
    const graph = await readGraphFile(file);
    if (graph.stateCount !== statistics.distinct) {
      const reason = `TLC found ${statistics.distinct} states, and wrote ${graph.stateCount} of them`;
      return { kind: 'couldNotTell', reason };
    }
    return { kind: 'graph', graph, tlcMs };
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

const SECTION = /^\s*([A-Z_]+)\b/;
const PROPERTIES = new Set(['INVARIANT', 'INVARIANTS', 'PROPERTY', 'PROPERTIES']);

/** The sights of `Watch` are told from within an invariant: without it nobody looks. */
function configWithoutProperties(text: string, profile?: string): string {
  let isProperty = false;
  const kept = text.split(/\r?\n/).filter((line) => {
    const section = SECTION.exec(line)?.[1];
    if (section !== undefined && /^[A-Z_]{4,}$/.test(section)) isProperty = PROPERTIES.has(section);
    return !isProperty;
  });
  const config = kept.join('\n').replace(/^(\s*Watch\s*=).*$/m, '$1 {}');
  return profile === undefined ? config : config.replace(/^(\s*Profile\s*=).*$/m, `$1 ${print(str(profile))}`);
}
