import { Reader, Writer } from '../wire/bytes.ts';
import { decode, encode, isFlexible, type Message } from './codec.ts';
import type { MessageSchema } from './schema.ts';

/** Requests and replies with their headers, without the length before them. */

export const CLIENT_ID = 'leader-epoch';

export interface RequestHeader {
  readonly apiKey: number;
  readonly version: number;
  readonly correlationId: number;
}

export function requestFrame(schema: MessageSchema, version: number, correlationId: number, message: Message): Buffer {
  const header = new Writer().int16(schema.apiKey).int16(version).int32(correlationId).string(CLIENT_ID);
  if (isFlexible(schema, version)) header.uvarint(0);
  return header.raw(encode(schema, version, message)).toBuffer();
}

export function readRequestHeader(frame: Buffer): RequestHeader {
  const reader = new Reader(frame);
  return { apiKey: reader.int16(), version: reader.int16(), correlationId: reader.int32() };
}

/** The text in the header is never compact. */
export function readRequest(schema: MessageSchema, frame: Buffer): Message {
  const { version } = readRequestHeader(frame);
  const reader = new Reader(frame, 8);
  reader.string();
  if (isFlexible(schema, version)) reader.tags();
  return decode(schema, version, reader.raw(reader.remaining));
}

export function replyFrame(schema: MessageSchema, version: number, correlationId: number, message: Message): Buffer {
  const header = new Writer().int32(correlationId);
  if (hasTags(schema, version)) header.uvarint(0);
  return header.raw(encode(schema, version, message)).toBuffer();
}

/** `reader`: behind the correlation id. */
export function readReply(schema: MessageSchema, version: number, reader: Reader): Message {
  if (hasTags(schema, version)) reader.tags();
  return decode(schema, version, reader.raw(reader.remaining));
}

const API_VERSIONS = 18;

/** Whoever asks for versions does not know yet which ones there are, and must be able to read the answer. */
function hasTags(schema: MessageSchema, version: number): boolean {
  return isFlexible(schema, version) && schema.apiKey !== API_VERSIONS;
}
