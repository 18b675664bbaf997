import type { PageClaim, PageData } from '../../src/page/data.ts';
import { parseItf } from '../../src/trace/index.ts';
import { Opened } from './opened.ts';

/** The data that the page was made with: base64 of gzipped JSON. */
export async function unpack(packed: string): Promise<PageData> {
  const bytes = Uint8Array.from(atob(packed), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return JSON.parse(await new Response(stream).text()) as PageData;
}

/** The recorded traces, each read when it is first asked for. */
export class Library {
  readonly data: PageData;
  readonly #opened = new Map<string, Opened>();

  constructor(data: PageData) {
    this.data = data;
  }

  get names(): readonly string[] {
    return this.data.traces.map(({ name }) => name);
  }

  claim(name: string): PageClaim | null {
    return this.data.claims.find(({ claim }) => claim === name) ?? null;
  }

  titleOf(name: string): string {
    const claim = this.claim(name);
    if (claim === null) return name;
    return claim.title.startsWith('...') ? `${this.#before(claim)?.title ?? ''} ${claim.title}`.trim() : claim.title;
  }

  /** The claim that a title with dots in front goes on from. */
  #before(claim: PageClaim): PageClaim | undefined {
    const { claims } = this.data;
    const others = claims.filter((one) => !one.title.startsWith('...'));
    const sameName = others.find((one) => claim.claim.startsWith(`${one.claim}-`));
    return sameName ?? others.findLast((one) => claims.indexOf(one) < claims.indexOf(claim));
  }

  /** Null: no trace has this name. Throws an ItfError for one that cannot be read. */
  open(name: string): Opened | null {
    const known = this.#opened.get(name);
    if (known !== undefined) return known;
    const trace = [...this.data.traces, ...this.data.runs].find((one) => one.name === name);
    if (trace === undefined) return null;
    const opened = new Opened(name, parseItf(trace.text, { file: `${name}.itf.json` }), {
      claim: this.claim(name),
      title: this.titleOf(name),
    });
    this.#opened.set(name, opened);
    return opened;
  }
}
