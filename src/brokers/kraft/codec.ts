import { isDeepStrictEqual } from 'node:util';
import { Reader, Writer } from '../wire/bytes.ts';
import { exact, PRIMITIVES, readLength, writeLength, ZERO_UUID } from './primitives.ts';
import { type Field, includes, type MessageSchema } from './schema.ts';

/**
 * A message's fields by name. An int64 is a number where that is exact, else a bigint; a uuid is text, as Kafka prints it.
 */
export interface Message {
  readonly [field: string]: Value;
}
export type Value = boolean | number | bigint | string | Buffer | null | readonly Value[] | Message;

/** A message that does not fit its definition; the text names the field. */
export class CodecError extends Error {
  override readonly name = 'CodecError';
}

interface Context {
  readonly version: number;
  readonly flexible: boolean;
}

/** The body of a request, reply or record. What the message leaves out has its default. */
export function encode(schema: MessageSchema, version: number, message: Message): Buffer {
  const writer = new Writer();
  writeStruct(writer, schema.fields, message, contextOf(schema, version), schema.name);
  return writer.toBuffer();
}

/** All bytes must be the message's. */
export function decode(schema: MessageSchema, version: number, bytes: Buffer): Message {
  const reader = new Reader(bytes);
  const message = readStruct(reader, schema.fields, contextOf(schema, version));
  if (reader.remaining > 0) throw new CodecError(`${schema.name} v${version}: ${reader.remaining} bytes too many`);
  return message;
}

export function isFlexible(schema: MessageSchema, version: number): boolean {
  return includes(schema.flexibleVersions, version);
}

function contextOf(schema: MessageSchema, version: number): Context {
  const { from, to } = schema.validVersions;
  if (!includes(schema.validVersions, version)) {
    throw new CodecError(`${schema.name} has no version ${version}, only ${from} to ${to}`);
  }
  return { version, flexible: isFlexible(schema, version) };
}

function writeStruct(writer: Writer, fields: readonly Field[], message: Message, context: Context, at: string): void {
  const present = fields.filter(({ versions }) => includes(versions, context.version));
  const unknown = Object.keys(message).find((name) => !fields.some((field) => field.name === name));
  if (unknown !== undefined) throw new CodecError(`${at} has no field ${unknown}`);
  const tagged: [tag: number, bytes: Buffer][] = [];
  for (const field of present) {
    const value = message[field.name] ?? (message[field.name] === null ? null : defaultOf(field, context));
    if (!isTagged(field, context)) writeField(writer, field, value, context, `${at}.${field.name}`);
    else if (!isDeepStrictEqual(value, defaultOf(field, context))) {
      const bytes = new Writer();
      writeField(bytes, field, value, context, `${at}.${field.name}`);
      tagged.push([field.tag, bytes.toBuffer()]);
    }
  }
  if (!context.flexible) return;
  writer.uvarint(tagged.length);
  for (const [tag, bytes] of tagged.sort(([a], [b]) => a - b)) writer.uvarint(tag).uvarint(bytes.length).raw(bytes);
}

function readStruct(reader: Reader, fields: readonly Field[], context: Context): Message {
  const message: Record<string, Value> = {};
  const present = fields.filter(({ versions }) => includes(versions, context.version));
  for (const field of present) {
    message[field.name] = isTagged(field, context) ? defaultOf(field, context) : readField(reader, field, context);
  }
  if (!context.flexible) return message;
  for (const [tag, bytes] of reader.tags()) {
    // A tag that this definition does not know is of a later one.
    const field = present.find((one) => isTagged(one, context) && one.tag === tag);
    if (field !== undefined) message[field.name] = readField(new Reader(bytes), field, context);
  }
  return message;
}

function isTagged({ taggedVersions }: Field, { version }: Context): boolean {
  return includes(taggedVersions, version);
}

function isNullable({ nullableVersions }: Field, { version }: Context): boolean {
  return includes(nullableVersions, version);
}

function flexibleAt(field: Field, context: Context): boolean {
  return field.flexibleVersions === null ? context.flexible : includes(field.flexibleVersions, context.version);
}

function writeField(writer: Writer, field: Field, value: Value, context: Context, at: string): void {
  if (value === null && !isNullable(field, context)) throw new CodecError(`${at} cannot be null`);
  const flexible = flexibleAt(field, context);
  if (field.type.startsWith('[]')) {
    if (value !== null && !Array.isArray(value)) throw new CodecError(`${at} must be a list`);
    const items = value as readonly Value[] | null;
    writeLength(writer, items?.length ?? -1, flexible, 4);
    for (const item of items ?? []) writeOne(writer, field, item, { ...context, flexible }, `${at}[]`);
    return;
  }
  writeOne(writer, field, value, { ...context, flexible }, at);
}

function writeOne(writer: Writer, field: Field, value: Value, context: Context, at: string): void {
  const type = elementType(field);
  const primitive = PRIMITIVES[type];
  try {
    if (primitive !== undefined) primitive.write(writer, value, context.flexible);
    else {
      if (isMarked(field, context)) writer.int8(value === null ? -1 : 1);
      if (value !== null) writeStruct(writer, field.fields, structOf(value), context, at);
    }
  } catch (error) {
    if (error instanceof CodecError) throw error;
    throw new CodecError(`${at} is no ${type}: ${error instanceof Error ? error.message : error}`);
  }
}

function readField(reader: Reader, field: Field, context: Context): Value {
  const inner = { ...context, flexible: flexibleAt(field, context) };
  if (!field.type.startsWith('[]')) return readOne(reader, field, inner);
  const length = readLength(reader, inner.flexible, 4);
  return length < 0 ? null : Array.from({ length }, () => readOne(reader, field, inner));
}

function readOne(reader: Reader, field: Field, context: Context): Value {
  const primitive = PRIMITIVES[elementType(field)];
  if (primitive !== undefined) return primitive.read(reader, context.flexible);
  return isMarked(field, context) && reader.int8() < 0 ? null : readStruct(reader, field.fields, context);
}

/** A structure that can be null is preceded by a byte that says whether it is. */
function isMarked(field: Field, context: Context): boolean {
  return !field.type.startsWith('[]') && isNullable(field, context);
}

function elementType({ type }: Field): string {
  return type.replace('[]', '');
}

function structOf(value: Value): Message {
  if (value === null || typeof value !== 'object' || Array.isArray(value) || Buffer.isBuffer(value)) {
    throw new RangeError('a structure was expected');
  }
  return value as Message;
}

/** Source: the rules of Kafka's message generator (FieldSpec.fieldDefault). */
function defaultOf(field: Field, context: Context): Value {
  const { type, default: given } = field;
  if (given === 'null') return null;
  if (type.startsWith('[]')) return [];
  switch (type) {
    case 'string':
      return String(given ?? '');
    case 'bytes':
    case 'records':
      return Buffer.alloc(0);
    case 'uuid':
      return ZERO_UUID;
    case 'bool':
      return String(given) === 'true';
    case 'int64':
      return exact(BigInt(given ?? 0));
    default:
      if (type in PRIMITIVES) return Number(given ?? 0);
  }
  const present = field.fields.filter(({ versions }) => includes(versions, context.version));
  return Object.fromEntries(present.map((one) => [one.name, defaultOf(one, context)]));
}
