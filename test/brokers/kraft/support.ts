import { readFileSync } from 'node:fs';
import { parseSchema } from '../../../src/brokers/kraft/schema.ts';
import { Schemas } from '../../../src/brokers/kraft/schemas.ts';

const fixtures = new URL('../../fixtures/kraft/', import.meta.url);

function read(name: string): unknown[] {
  return JSON.parse(readFileSync(new URL(name, fixtures), 'utf8')) as unknown[];
}

/** The definitions in the jars of 4.4.0, without what they say for people. */
export const definitions = read('schemas.json').map((one) => parseSchema(JSON.stringify(one)));
export const schemas = new Schemas(definitions);

export interface CapturedFrame {
  readonly name: string;
  readonly kind: 'request' | 'reply';
  readonly api: string;
  readonly version: number;
  readonly hex: string;
}

/** What brokers of 4.4.0 sent, behind the frame's length. */
export const capturedFrames = read('frames.json') as CapturedFrame[];

export function captured(name: string): CapturedFrame & { readonly frame: Buffer } {
  const found = capturedFrames.find((one) => one.name === name);
  if (found === undefined) throw new RangeError(`no frame "${name}" has been captured`);
  return { ...found, frame: Buffer.from(found.hex, 'hex') };
}
