import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  type ApiName,
  apis,
  decodeRequest,
  decodeResponse,
  encodeRequest,
  encodeResponse,
  type Request,
  unframed,
} from '../../src/wire/index.ts';

const FILE = new URL('../fixtures/wire/messages-as-kafkas-schemas-have-them.txt', import.meta.url);

const messages = readFileSync(FILE, 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [api = '', kind = '', version = '', hex = ''] = line.split(' ');
    return { api: api as ApiName, kind, version: Number(version), body: Buffer.from(hex, 'hex') };
  });

const int = (bytes: number, value: number) => {
  const written = Buffer.alloc(bytes);
  written.writeIntBE(value, 0, bytes);
  return written;
};
const noTags = (has: boolean) => Buffer.alloc(has ? 1 : 0);

/** Of request 7, without a client's id. */
function framed({ api, body, kind, version }: (typeof messages)[number]): Buffer {
  const { flexible, key } = apis[api];
  const isFlexible = version >= flexible;
  if (kind === 'Response') return Buffer.concat([int(4, 7), noTags(isFlexible && api !== 'ApiVersions'), body]);
  return Buffer.concat([int(2, key), int(2, version), int(4, 7), int(2, -1), noTags(isFlexible), body]);
}

function writtenAgain(kind: string, request: Request, frame: Uint8Array): Uint8Array {
  if (kind === 'Request') return encodeRequest(decodeRequest(frame) as Request);
  return encodeResponse(request, decodeResponse(request, frame));
}

describe("Kafka's schemas", () => {
  test.each(Object.keys(apis) as ApiName[])('have each version of %s as it is read and written here', (api) => {
    const own = messages.filter((message) => message.api === api);
    const { max, min } = apis[api];
    const versions = Array.from({ length: max - min + 1 }, (_, i) => min + i);
    for (const kind of ['Request', 'Response']) {
      expect([...new Set(own.filter((one) => one.kind === kind).map(({ version }) => version))]).toEqual(versions);
    }
    for (const message of own) {
      const { kind, version } = message;
      const frame = framed(message);
      const again = writtenAgain(kind, { api, version, correlationId: 7 } as Request, frame);
      expect([kind, version, Buffer.from(unframed(again)).toString('hex')]).toEqual([
        kind,
        version,
        frame.toString('hex'),
      ]);
    }
  });
});
