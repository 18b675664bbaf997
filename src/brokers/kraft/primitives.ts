import type { Reader, Writer } from '../wire/bytes.ts';
import type { Value } from './codec.ts';

/** How a value of a primitive type is written: with compact lengths or without. */
export interface Primitive {
  write(writer: Writer, value: Value, flexible: boolean): void;
  read(reader: Reader, flexible: boolean): Value;
}

export const ZERO_UUID = 'AAAAAAAAAAAAAAAAAAAAAA';

const bytes: Primitive = {
  write: (writer, value, flexible) => {
    if (value !== null && !Buffer.isBuffer(value)) throw new RangeError('bytes were expected');
    writeLength(writer, value?.length ?? -1, flexible, 4);
    if (value !== null) writer.raw(value);
  },
  read: (reader, flexible) => {
    const length = readLength(reader, flexible, 4);
    return length < 0 ? null : reader.raw(length);
  },
};

/** Source: kafka.apache.org/protocol, Protocol Primitive Types. */
export const PRIMITIVES: Readonly<Record<string, Primitive>> = {
  bool: { write: (writer, value) => void writer.int8(value === true ? 1 : 0), read: (reader) => reader.int8() !== 0 },
  int8: { write: (writer, value) => void writer.int8(Number(value)), read: (reader) => reader.int8() },
  int16: { write: (writer, value) => void writer.int16(Number(value)), read: (reader) => reader.int16() },
  uint16: {
    write: (writer, value) => {
      const two = Buffer.alloc(2);
      two.writeUInt16BE(Number(value));
      writer.raw(two);
    },
    read: (reader) => reader.raw(2).readUInt16BE(),
  },
  int32: { write: (writer, value) => void writer.int32(Number(value)), read: (reader) => reader.int32() },
  uint32: { write: (writer, value) => void writer.uint32(Number(value)), read: (reader) => reader.uint32() },
  int64: {
    write: (writer, value) => void writer.int64(BigInt(value as number | bigint)),
    read: (reader) => exact(reader.raw(8).readBigInt64BE()),
  },
  float64: {
    write: (writer, value) => {
      const eight = Buffer.alloc(8);
      eight.writeDoubleBE(Number(value));
      writer.raw(eight);
    },
    read: (reader) => reader.raw(8).readDoubleBE(),
  },
  uuid: {
    write: (writer, value) => {
      const sixteen = Buffer.from(String(value), 'base64url');
      if (sixteen.length !== 16) throw new RangeError(`${value}`);
      writer.raw(sixteen);
    },
    read: (reader) => reader.raw(16).toString('base64url'),
  },
  string: {
    write: (writer, value, flexible) => {
      if (value !== null && typeof value !== 'string') throw new RangeError('text was expected');
      const text = value === null ? null : Buffer.from(value);
      writeLength(writer, text?.length ?? -1, flexible, 2);
      if (text !== null) writer.raw(text);
    },
    read: (reader, flexible) => {
      const length = readLength(reader, flexible, 2);
      return length < 0 ? null : reader.raw(length).toString('utf8');
    },
  },
  bytes,
  records: bytes,
};

/** -1 stands for null. */
export function writeLength(writer: Writer, length: number, flexible: boolean, size: 2 | 4): void {
  if (flexible) writer.uvarint(length + 1);
  else if (size === 2) writer.int16(length);
  else writer.int32(length);
}

export function readLength(reader: Reader, flexible: boolean, size: 2 | 4): number {
  if (flexible) return reader.uvarint() - 1;
  return size === 2 ? reader.int16() : reader.int32();
}

export function exact(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
