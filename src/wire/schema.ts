/**
 * What a message is made of, in all its versions at once: fields in the order of the wire, each with the versions that have
 * it. Both directions are read off the same table, and so is the type.
 */
import { Reader, Writer } from './bytes.ts';

/** How a version is written: from some version on lengths are compact, and fields may be tagged (KIP-482). */
export interface Version {
  readonly version: number;
  readonly flexible: boolean;
}

export interface Type<T> {
  read(from: Reader, version: Version): T;
  write(to: Writer, value: T, version: Version): void;
}

export interface Field<T> {
  readonly type: Type<T>;
  readonly since: number;
  readonly until: number;
  /** Its value where a version does not have it. */
  readonly missing: T;
  readonly tag: number | null;
}

interface Options<T> {
  readonly since?: number;
  readonly until?: number;
  readonly tag?: number;
  readonly missing?: T;
}

export const int8: Type<number> = { read: (from) => from.int8(), write: (to, value) => to.int8(value) };
export const int16: Type<number> = { read: (from) => from.int16(), write: (to, value) => to.int16(value) };
export const int32: Type<number> = { read: (from) => from.int32(), write: (to, value) => to.int32(value) };
export const int64: Type<bigint> = { read: (from) => from.int64(), write: (to, value) => to.int64(value) };
export const bool: Type<boolean> = {
  read: (from) => from.int8() !== 0,
  write: (to, value) => to.int8(value ? 1 : 0),
};

const NULL = -1;

/** Length of a string: 16 bits, or compact. */
const shortLength: Type<number> = {
  read: (from, { flexible }) => (flexible ? from.varint() - 1 : from.int16()),
  write: (to, length, { flexible }) => (flexible ? to.varint(length + 1) : to.int16(length)),
};
/** Length of an array, or of bytes: 32 bits, or compact. */
const length: Type<number> = {
  read: (from, { flexible }) => (flexible ? from.varint() - 1 : from.int32()),
  write: (to, size, { flexible }) => (flexible ? to.varint(size + 1) : to.int32(size)),
};

export const nullableString: Type<string | null> = {
  read: (from, version) => {
    const size = shortLength.read(from, version);
    return size === NULL ? null : from.take(size).toString('utf8');
  },
  write: (to, value, version) => {
    const bytes = value === null ? null : Buffer.from(value);
    shortLength.write(to, bytes === null ? NULL : bytes.length, version);
    if (bytes !== null) to.put(bytes);
  },
};

export const string: Type<string> = {
  read: (from, version) => nullableString.read(from, version) ?? fail(from, 'a string is null'),
  write: nullableString.write,
};

const ID_BYTES = 16;

/** How a topic is called: by its name, and in messages that say so since some version by its id, in hexadecimal digits (KIP-516). */
export function topicName(idSince: number): Type<string> {
  return {
    read: (from, version) =>
      version.version < idSince ? string.read(from, version) : from.take(ID_BYTES).toString('hex'),
    write: (to, value, version) => {
      const id = version.version < idSince ? null : Buffer.from(value, 'hex');
      if (id === null) string.write(to, value, version);
      else if (id.length === ID_BYTES) to.put(id);
      else throw new TypeError(`${value} is no topic's id`);
    },
  };
}

export const records: Type<Uint8Array | null> = {
  read: (from, version) => {
    const size = length.read(from, version);
    return size === NULL ? null : from.take(size);
  },
  write: (to, value, version) => {
    length.write(to, value === null ? NULL : value.length, version);
    if (value !== null) to.put(value);
  },
};

export function nullableArray<T>(element: Type<T>): Type<readonly T[] | null> {
  return {
    read: (from, version) => {
      const size = length.read(from, version);
      if (size === NULL) return null;
      from.announced(size);
      const values: T[] = [];
      for (let i = 0; i < size; i++) values.push(element.read(from, version));
      return values;
    },
    write: (to, values, version) => {
      length.write(to, values === null ? NULL : values.length, version);
      for (const value of values ?? []) element.write(to, value, version);
    },
  };
}

export function array<T>(element: Type<T>): Type<readonly T[]> {
  const nullable = nullableArray(element);
  return {
    read: (from, version) => nullable.read(from, version) ?? fail(from, 'an array is null'),
    write: nullable.write,
  };
}

const MAX_VERSION = 32767;

export function field<T>(type: Type<T>, options: Options<T> = {}): Field<T> {
  const { since = 0, until = MAX_VERSION, tag = null } = options;
  return { type, since, until, tag, missing: options.missing as T };
}

export function struct<V extends object>(fields: { readonly [K in keyof V]: Field<V[K]> }): Type<Readonly<V>> {
  const entries = Object.entries(fields) as [string, Field<unknown>][];
  const tagged = entries.filter(([, { tag }]) => tag !== null).sort(([, a], [, b]) => a.tag! - b.tag!);
  const has = ({ since, until }: Field<unknown>, { version }: Version) => version >= since && version <= until;
  return {
    read: (from, version) => {
      const value: Record<string, unknown> = {};
      for (const [name, one] of entries) {
        value[name] = one.tag === null && has(one, version) ? one.type.read(from, version) : one.missing;
      }
      if (version.flexible) {
        readTagged(from, (tag, content) => {
          const known = tagged.find(([, one]) => one.tag === tag && has(one, version));
          if (known) value[known[0]] = known[1].type.read(content(), version);
        });
      }
      return value as never;
    },
    write: (to, value, version) => {
      const of = value as Record<string, unknown>;
      for (const [name, one] of entries) {
        if (one.tag === null && has(one, version)) one.type.write(to, name in of ? of[name] : one.missing, version);
      }
      if (!version.flexible) return;
      const present = tagged.filter(
        ([name, one]) => has(one, version) && of[name] !== undefined && of[name] !== one.missing,
      );
      to.varint(present.length);
      for (const [name, one] of present) writeTagged(to, one, of[name], version);
    },
  };
}

/** Tagged fields, known or not: each says its length. */
function readTagged(from: Reader, visit: (tag: number, content: () => Reader) => void): void {
  const count = from.varint();
  from.announced(count);
  for (let i = 0; i < count; i++) {
    const tag = from.varint();
    const bytes = from.take(from.varint());
    visit(tag, () => new Reader(bytes));
  }
}

function writeTagged(to: Writer, { tag, type }: Field<unknown>, value: unknown, version: Version): void {
  const content = new Writer();
  type.write(content, value, version);
  to.varint(tag!);
  to.varint(content.done().length);
  to.put(content.done());
}

export function skipTagged(from: Reader): void {
  readTagged(from, () => {});
}

function fail(from: Reader, what: string): never {
  throw from.error(what);
}
