import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Claim, loadClaims, specFolder } from '../claims/index.ts';
import { printItf } from '../trace/index.ts';
import { toldRun } from './told.ts';

/** What the page is about: everything that it shows comes from the project's own files. */
export interface PageData {
  readonly version: string;
  readonly claims: readonly PageClaim[];
  /** Recorded counterexamples, in ITF as they are on disk. */
  readonly traces: readonly PageTrace[];
  /** Runs of claims that hold and tell their schedule, by the claim's name. */
  readonly runs: readonly PageTrace[];
  /** Sources as they are: of the implementation by file name (`fetcher.ts`), of the specification too (`MC.tla`). */
  readonly sources: Readonly<Record<string, string>>;
  /** The trace that is shown first. */
  readonly first: string;
  /** Served by `leader-epoch serve`: there is a server to ask. */
  readonly served: boolean;
}

/** A claim, as far as the page tells it. */
export type PageClaim = Omit<Claim, 'set' | 'model'>;

export interface PageTrace {
  /** Of the file: `fast-restart-told`. */
  readonly name: string;
  readonly text: string;
}

const FIRST = 'fast-restart-told';
const root = fileURLToPath(new URL('../../', import.meta.url));

export interface CollectOptions {
  readonly served?: boolean;
  /** A trace that is in no file: the page opens with it. */
  readonly opening?: PageTrace;
}

/** `files`: the traces, given as files. */
export async function collectData(
  files: readonly string[],
  { served = false, opening }: CollectOptions = {},
): Promise<PageData> {
  const recordedOnes = await Promise.all(
    files.map(async (file) => ({ name: nameOf(file), text: await readFile(file, 'utf8') })),
  );
  const traces = opening === undefined ? recordedOnes : [opening, ...recordedOnes];
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  const claims = loadClaims();
  const recorded = new Set(traces.map(({ name }) => name));
  return {
    version: manifest.version,
    claims: claims.map(({ set: _set, model: _model, ...claim }) => claim),
    traces,
    runs: await runsOf(claims.filter(({ claim }) => !recorded.has(claim))),
    sources: { ...(await textsIn(join(root, 'src/replica'), '.ts')), ...(await textsIn(specFolder, '.tla')) },
    first: opening === undefined && recorded.has(FIRST) ? FIRST : (traces[0]?.name ?? ''),
    served,
  };
}

async function runsOf(claims: readonly Claim[]): Promise<PageTrace[]> {
  const runs = await Promise.all(claims.map(async (claim) => ({ name: claim.claim, trace: await toldRun(claim) })));
  return runs.flatMap(({ name, trace }) => (trace === null ? [] : [{ name, text: printItf(trace) }]));
}

function nameOf(file: string): string {
  return (file.split('/').at(-1) ?? file).replace(/(\.itf)?\.json$/, '');
}

async function textsIn(folder: string, ending: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(ending)).sort();
  const texts = await Promise.all(
    names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const),
  );
  return Object.fromEntries(texts);
}
