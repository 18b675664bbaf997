/** Frames: a length of 32 bits, a header, a message. */
import { type Api, type ApiName, apis, type RequestOf, type ResponseOf } from './apis.ts';
import { Reader, WireError, Writer } from './bytes.ts';
import { errors } from './errors.ts';
import { nullableString, skipTagged, type Version } from './schema.ts';

export interface Request<N extends ApiName = ApiName> {
  readonly api: N;
  readonly version: number;
  readonly correlationId: number;
  readonly clientId: string | null;
  readonly body: RequestOf<N>;
}

/** Of each name its own kind, so that `api` tells what `body` is. */
export type AnyRequest = { [N in ApiName]: Request<N> }[ApiName];

/** A request that is not read: of an API or version that there is not. Its header is known, so that it can be answered. */
export interface Unsupported {
  readonly api: null;
  readonly key: number;
  readonly version: number;
  readonly correlationId: number;
}

const LENGTH_BYTES = 4;

/** The frame without its length, as `FrameSplitter` gives it. A WireError if it is none. */
export function decodeRequest(frame: Uint8Array): AnyRequest | Unsupported {
  const from = new Reader(frame);
  const [key, version, correlationId] = [from.int16(), from.int16(), from.int32()];
  const found = Object.entries(apis).find(([, api]) => api.key === key);
  if (!found || version < found[1].min || version > found[1].max) return { api: null, key, version, correlationId };
  const [api, { flexible, request }] = found as [ApiName, Api];
  const how = { version, flexible: version >= flexible };
  const clientId = nullableString.read(from, { version, flexible: false });
  if (how.flexible) skipTagged(from);
  const body = request.read(from, how);
  if (from.left > 0) throw from.error(`${from.left} bytes follow the end of ${api}`);
  return { api, version, correlationId, clientId, body } as AnyRequest;
}

export function encodeRequest<N extends ApiName>(request: Request<N>): Buffer {
  const { flexible, key, request: type } = apis[request.api] as Api<RequestOf<N>>;
  const how = { version: request.version, flexible: request.version >= flexible };
  const to = new Writer();
  to.int16(key);
  to.int16(request.version);
  to.int32(request.correlationId);
  nullableString.write(to, request.clientId, { version: request.version, flexible: false });
  if (how.flexible) to.varint(0);
  type.write(to, request.body, how);
  return framed(to);
}

export function encodeResponse<N extends ApiName>(
  { api, version, correlationId }: Pick<Request<N>, 'api' | 'version' | 'correlationId'>,
  body: ResponseOf<N>,
): Buffer {
  const { flexible, response } = apis[api] as Api<unknown, ResponseOf<N>>;
  const how = { version, flexible: version >= flexible };
  const to = new Writer();
  to.int32(correlationId);
  if (hasResponseTags(api, how)) to.varint(0);
  response.write(to, body, how);
  return framed(to);
}

/** Its header is to be read with the version that was asked with. A WireError if it is not the answer to that request. */
export function decodeResponse<N extends ApiName>(
  { api, version, correlationId }: Pick<Request<N>, 'api' | 'version' | 'correlationId'>,
  frame: Uint8Array,
): ResponseOf<N> {
  const { flexible, response } = apis[api] as Api<unknown, ResponseOf<N>>;
  const how = { version, flexible: version >= flexible };
  const from = new Reader(frame);
  const answered = from.int32();
  if (answered !== correlationId) throw from.error(`request ${answered} is answered, ${correlationId} was asked`);
  if (hasResponseTags(api, how)) skipTagged(from);
  return response.read(from, how);
}

/**
 * The answer to who asks for what there is not: the versions that there are, if that was the question, in a shape that every
 * client can read (KIP-511); else none, and the connection is closed, as Kafka does.
 */
export function answerUnsupported({ correlationId, key }: Unsupported): Buffer | null {
  if (key !== apis.ApiVersions.key) return null;
  const request = { api: 'ApiVersions', version: 0, correlationId } as const;
  return encodeResponse(request, apiVersions(errors.UNSUPPORTED_VERSION));
}

export function apiVersions(errorCode: number): ResponseOf<'ApiVersions'> {
  return { errorCode, throttleTimeMs: 0, apis: Object.values(apis).map(({ key, min, max }) => ({ key, min, max })) };
}

/** A message between others, in a version that no broker of ours may take. A WireError if it is none. */
export function readRequestOf<N extends ApiName>(api: N, frame: Uint8Array): { version: number; body: RequestOf<N> } {
  const { flexible, request } = apis[api] as Api<RequestOf<N>>;
  const from = new Reader(frame);
  from.int16();
  const version = from.int16();
  from.int32();
  const how = { version, flexible: version >= flexible };
  nullableString.read(from, { version, flexible: false });
  if (how.flexible) skipTagged(from);
  return { version, body: request.read(from, how) };
}

/** `version`: with which was asked. */
export function readResponseOf<N extends ApiName>(api: N, version: number, frame: Uint8Array): ResponseOf<N> {
  const correlationId = new Reader(frame).int32();
  return decodeResponse({ api, version, correlationId }, frame);
}

/** ApiVersions is answered before the client can know which header it will get. */
function hasResponseTags(api: ApiName, { flexible }: Version): boolean {
  return flexible && api !== 'ApiVersions';
}

function framed(content: Writer): Buffer {
  const body = content.done();
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + body.length);
  frame.writeInt32BE(body.length, 0);
  frame.set(body, LENGTH_BYTES);
  return frame;
}

/** The frame as it is read, without its length. */
export function unframed(frame: Uint8Array): Uint8Array {
  return frame.subarray(LENGTH_BYTES);
}

/** Cuts a stream into frames. It holds one frame at most; one that announces more than `maxBytes` is a WireError at once. */
export class FrameSplitter {
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #held = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Of a frame that is not whole yet. */
  get heldBytes(): number {
    return this.#held;
  }

  push(chunk: Buffer): Buffer[] {
    this.#chunks.push(chunk);
    this.#merge();
    this.#held += chunk.length;
    const frames: Buffer[] = [];
    for (
      let length = this.#announced();
      length !== null && this.#held >= LENGTH_BYTES + length;
      length = this.#announced()
    ) {
      const all = this.#joined();
      frames.push(all.subarray(LENGTH_BYTES, LENGTH_BYTES + length));
      const rest = all.subarray(LENGTH_BYTES + length);
      this.#chunks = rest.length > 0 ? [rest] : [];
      this.#held = rest.length;
    }
    return frames;
  }

  /** A frame that comes byte by byte is no long list: no chunk is shorter than what comes after it. */
  #merge(): void {
    const chunks = this.#chunks;
    while (chunks.length > 1 && chunks[chunks.length - 2]!.length <= chunks[chunks.length - 1]!.length) {
      chunks.push(Buffer.concat(chunks.splice(-2)));
    }
  }

  #announced(): number | null {
    if (this.#held < LENGTH_BYTES) return null;
    if (this.#chunks[0]!.length < LENGTH_BYTES) this.#joined();
    const length = this.#chunks[0]!.readInt32BE(0);
    if (length >= 0 && length <= this.#maxBytes) return length;
    throw new WireError(
      `A frame of ${length} bytes is announced, and ${this.#maxBytes} is the most: this is not Kafka`,
    );
  }

  #joined(): Buffer {
    const all = Buffer.concat(this.#chunks);
    this.#chunks = [all];
    return all;
  }
}
