import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { PageTrace } from '../page/index.ts';
import { AS_CLAIMED, type Io, printJson, UsageError } from './io.ts';
import { recordedTraces } from './traces.ts';

export interface ReportCommand {
  readonly out: string;
  readonly json?: boolean;
}

/** `leader-epoch report --out FILE`: the page, as one file that needs nothing else. */
export async function report({ out, json }: ReportCommand, io: Io): Promise<number> {
  const { bytes, traces } = await writePage(out, io);
  if (json === true) printJson(io, 'report', AS_CLAIMED, { file: resolve(out), bytes, traces });
  else io.out(`${out}: ${traces} traces, ${Math.ceil(bytes / 1024)} KB. Open it in a browser.`);
  return AS_CLAIMED;
}

/**
 * `opening`: a trace that it opens with, beside the recorded ones.
 *
 * @throws UsageError if the file cannot be written
 */
export async function writePage(file: string, io: Io, opening?: PageTrace): Promise<{ bytes: number; traces: number }> {
  const { bundlePage, collectData, pageHtml } = await import('../page/index.ts');
  const [bundle, files] = await Promise.all([bundlePage(io.env), recordedTraces()]);
  const data = await collectData(files, opening === undefined ? {} : { opening });
  const html = pageHtml(bundle, data);
  try {
    await mkdir(dirname(resolve(file)), { recursive: true });
    await writeFile(file, html);
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as NodeJS.ErrnoException).code ?? error}.`);
  }
  return { bytes: Buffer.byteLength(html), traces: data.traces.length };
}
