import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CodecError, decode, encode, type Value } from '../../../src/brokers/kraft/codec.ts';
import { readReply, readRequest, replyFrame, requestFrame } from '../../../src/brokers/kraft/frames.ts';
import { type Field, includes, type MessageSchema, parseSchema } from '../../../src/brokers/kraft/schema.ts';
import { Reader } from '../../../src/brokers/wire/bytes.ts';
import { batchesOf } from '../../../src/brokers/wire/records.ts';
import { captured, capturedFrames, definitions, schemas } from './support.ts';

const sample = parseSchema(`
  // A definition of our own, with what the others have not.
  { "name": "Sample", "apiKey": 1, "validVersions": "0-2", "flexibleVersions": "1+",
    "fields": [
      { "name": "Name", "type": "string", "versions": "0+", "nullableVersions": "1+", "default": "none" },
      { "name": "Place", "type": "Point", "versions": "0+", "nullableVersions": "2+", "default": "null" },
      { "name": "Far", "type": "int64", "versions": "1+", "taggedVersions": "1+", "tag": 4, "default": "9223372036854775807" },
      { "name": "Near", "type": "Point", "versions": "1+", "taggedVersions": "1+", "tag": 2 }
    ],
    "commonStructs": [
      { "name": "Point", "versions": "0+", "fields": [
        { "name": "X", "type": "uint16", "versions": "0+" },
        { "name": "Y", "type": "float64", "versions": "1+", "default": "0.5" } ] } ] }`);

function hex(version: number, message: Parameters<typeof encode>[2]): string {
  return encode(sample, version, message).toString('hex');
}

describe('the codec', () => {
  it('writes lengths in full before the flexible versions, and one more than the length after', () => {
    expect(hex(0, { name: 'ab', place: { x: 3 } })).toBe('0002' + '6162' + '0003');
    expect(hex(1, { name: 'ab', place: { x: 3 } })).toBe('03' + '6162' + '0003' + '3fe0000000000000' + '00' + '00');
  });

  it('says before a structure that can be null whether it is', () => {
    expect(hex(2, { name: null, place: null })).toBe('00' + 'ff' + '00');
    expect(hex(2, { name: null, place: { x: 1, y: 0 } })).toBe('00' + '01' + '0001' + '0000000000000000' + '00' + '00');
  });

  it('writes tagged fields by their numbers, and none that has its default', () => {
    const place = { x: 0 };
    expect(hex(1, { name: '', place, far: 5, near: { x: 1 } })).toBe(
      [
        '01',
        '0000',
        '3fe0000000000000',
        '00',
        '02',
        '020b',
        '0001',
        '3fe0000000000000',
        '00',
        '0408',
        '0000000000000005',
      ].join(''),
    );
    expect(hex(1, { name: '', place, far: 9223372036854775807n, near: { x: 0, y: 0.5 } })).toBe(
      hex(1, { name: '', place }),
    );
  });

  it('fills in what a message leaves out', () => {
    expect(decode(sample, 1, encode(sample, 1, { place: { x: 7 } }))).toEqual({
      name: 'none',
      place: { x: 7, y: 0.5 },
      far: 9223372036854775807n,
      near: { x: 0, y: 0.5 },
    });
  });

  it('skips tags that it does not know', () => {
    const known = encode(sample, 1, { name: 'a', place: { x: 1 } });
    const later = Buffer.concat([known.subarray(0, -1), Buffer.from('0109027879', 'hex')]);
    expect(decode(sample, 1, later)).toEqual(decode(sample, 1, known));
  });

  it.each([
    [{ nmae: 'a' }, 'Sample has no field nmae'],
    [{ name: null }, 'Sample.name cannot be null'],
    [{ place: { x: 70_000 } }, 'Sample.place.x is no uint16: The value of "value" is out of range'],
    [{ place: { x: 1, z: 1 } }, 'Sample.place has no field z'],
    [{ place: [] }, 'Sample.place is no Point: a structure was expected'],
  ])('names the field that is wrong in %j', (message, said) => {
    expect(() => encode(sample, 0, { name: 'a', place: { x: 1 }, ...message } as Parameters<typeof encode>[2])).toThrow(
      said,
    );
  });

  it('refuses a version that there is not, and bytes that are left over', () => {
    expect(() => encode(sample, 3, {})).toThrow(new CodecError('Sample has no version 3, only 0 to 2'));
    const bytes = Buffer.concat([encode(sample, 1, { place: {} }), Buffer.from([1, 2])]);
    expect(() => decode(sample, 1, bytes)).toThrow(new CodecError('Sample v1: 2 bytes too many'));
    expect(() => decode(sample, 1, bytes.subarray(0, 5))).toThrow(RangeError);
  });
});

describe('what brokers of 4.4.0 sent', () => {
  it.each(capturedFrames.map(({ name }) => name))('%s: comes out of the codec as it went in', (name) => {
    const { kind, api, version, frame } = captured(name);
    if (kind === 'request') {
      const schema = schemas.of(`${api}Request`);
      const body = encode(schema, version, readRequest(schema, frame));
      expect(frame.subarray(-body.length).toString('hex')).toBe(body.toString('hex'));
    } else {
      const schema = schemas.of(`${api}Response`);
      const message = readReply(schema, version, new Reader(frame, 4));
      expect(replyFrame(schema, version, frame.readInt32BE(0), message).toString('hex')).toBe(frame.toString('hex'));
    }
  });

  it('is understood: a fetch with the epoch of the last record, and where the logs part', () => {
    const fetch = captured('a follower fetches, having fetched in epoch 1').frame;
    expect(readRequest(schemas.of('FetchRequest'), fetch)).toMatchObject({
      replicaState: { replicaId: 1, replicaEpoch: 1 },
      topics: [{ partitions: [{ currentLeaderEpoch: 2, fetchOffset: 1, lastFetchedEpoch: 1 }] }],
    });
    const parted = new Reader(captured('a leader tells a follower where their logs part').frame, 4);
    expect(readReply(schemas.of('FetchResponse'), 18, parted)).toMatchObject({
      responses: [{ partitions: [{ errorCode: 0, divergingEpoch: { epoch: 1, endOffset: 1 } }] }],
    });
  });

  it('is understood: the record in a reply, with the epoch of the leader that appended it', () => {
    const sent = new Reader(captured('a leader sends one record').frame, 4);
    const { responses } = readReply(schemas.of('FetchResponse'), 18, sent) as {
      responses: { partitions: { records: Buffer }[] }[];
    };
    const batches = batchesOf(responses[0]?.partitions[0]?.records ?? Buffer.alloc(0));
    expect(batches).toMatchObject([{ baseOffset: 0, records: [{ id: 1, epoch: 1 }] }]);
  });
});

/** Any message of a definition: an int64 as a number where that is exact, as the codec reads it. */
function anyMessage(fields: readonly Field[], version: number): fc.Arbitrary<Record<string, Value>> {
  const present = fields.filter(({ versions }) => includes(versions, version));
  return fc.record(Object.fromEntries(present.map((field) => [field.name, anyField(field, version)])));
}

function anyField(field: Field, version: number): fc.Arbitrary<Value> {
  const one = anyOne(field, version);
  const value = field.type.startsWith('[]') ? fc.array(one, { maxLength: 3 }) : one;
  return includes(field.nullableVersions, version) ? fc.option(value, { nil: null }) : value;
}

function anyOne(field: Field, version: number): fc.Arbitrary<Value> {
  switch (field.type.replace('[]', '')) {
    case 'bool':
      return fc.boolean();
    case 'int8':
      return fc.integer({ min: -128, max: 127 });
    case 'int16':
      return fc.integer({ min: -32_768, max: 32_767 });
    case 'uint16':
      return fc.integer({ min: 0, max: 65_535 });
    case 'int32':
      return fc.integer();
    case 'int64':
      return fc
        .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
        .map((big) => (Number.isSafeInteger(Number(big)) ? Number(big) : big));
    case 'uuid':
      return fc.uint8Array({ minLength: 16, maxLength: 16 }).map((id) => Buffer.from(id).toString('base64url'));
    case 'string':
      return fc.string({ unit: 'grapheme', maxLength: 5 });
    case 'bytes':
    case 'records':
      return fc.uint8Array({ maxLength: 5 }).map((bytes) => Buffer.from(bytes));
    default:
      return anyMessage(field.fields, version);
  }
}

function versionsOf({ validVersions: { from, to } }: MessageSchema): fc.Arbitrary<number> {
  return fc.integer({ min: from, max: to });
}

const anything = fc
  .constantFrom(...definitions)
  .chain((schema) =>
    versionsOf(schema).chain((version) =>
      fc.tuple(fc.constant({ schema, version }), anyMessage(schema.fields, version)),
    ),
  );

describe('any message of any definition', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(anything, ([{ schema, version }, message]) => {
        expect(decode(schema, version, encode(schema, version, message))).toEqual(message);
      }),
    );
  });

  it('is read as it was written with a header before it', () => {
    fc.assert(
      fc.property(anything, fc.integer(), ([{ schema, version }, message], correlationId) => {
        if (schema.name.endsWith('Request')) {
          const frame = requestFrame(schema, version, correlationId, message);
          expect(readRequest(schema, frame)).toEqual(message);
        } else if (schema.name.endsWith('Response')) {
          const frame = replyFrame(schema, version, correlationId, message);
          expect(readReply(schema, version, new Reader(frame, 4))).toEqual(message);
        }
      }),
    );
  });
});
