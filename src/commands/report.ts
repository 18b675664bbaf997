import { resolve } from 'node:path';
import type { PageTrace } from '../page/index.ts';
import { AS_CLAIMED, type Io, printJson } from './io.ts';
import { saveWithFolders } from './output.ts';
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
  await saveWithFolders(file, html);
  return { bytes: Buffer.byteLength(html), traces: data.traces.length };
}
