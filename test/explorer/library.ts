import { Library } from '../../explorer/model/data.ts';
import { recordedTraces } from '../../src/commands/traces.ts';
import { collectData } from '../../src/page/index.ts';

/** What the page is made with. */
export async function openLibrary(): Promise<Library> {
  return new Library(await collectData(await recordedTraces()));
}
