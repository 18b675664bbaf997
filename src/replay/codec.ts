import { entriesOf, fn, int, record, set, str, tuple, type Value } from '../tla/index.ts';

/** One shape of data, as plain JSON on the implementation's side and as a value on the specification's. */
export interface Codec {
  toValue(plain: unknown): Value;
  toPlain(value: Value): unknown;
}

/** What is observed does not have the shape that the mapping table gives it: where, as a path, and what is there. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError';
  constructor(
    readonly what: string,
    readonly path = '',
  ) {
    super(path === '' ? what : `${path}: ${what}`);
  }
}

/** What goes wrong in there is told with the way to it. */
export function within<T>(step: string, convert: () => T): T {
  try {
    return convert();
  } catch (error) {
    throw error instanceof ShapeError ? new ShapeError(error.what, `${step}${error.path}`) : error;
  }
}

export const integer: Codec = {
  toValue: (plain) => (Number.isSafeInteger(plain) ? int(plain as number) : misfit('an integer', plain)),
  toPlain: (value) => (value.kind === 'int' ? Number(value.value) : misfit('an integer', value)),
};

export const text: Codec = {
  toValue: (plain) => (typeof plain === 'string' ? str(plain) : misfit('a string', plain)),
  toPlain: (value) => (value.kind === 'string' ? value.value : misfit('a string', value)),
};

export const sequenceOf = (element: Codec): Codec => ({
  toValue: (plain) => tuple(listOf(plain).map((one, i) => within(`[${i}]`, () => element.toValue(one)))),
  toPlain: (value) => (value.kind === 'tuple' ? value.elements.map(element.toPlain) : misfit('a sequence', value)),
});

/** Sets are arrays in the canonical order of their values on the plain side. */
export const setOf = (element: Codec): Codec => ({
  toValue: (plain) => set(listOf(plain).map((one, i) => within(`[${i}]`, () => element.toValue(one)))),
  toPlain: (value) => (value.kind === 'set' ? value.elements.map(element.toPlain) : misfit('a set', value)),
});

/** A function from replicas, which are strings. */
export const perReplica = (each: Codec): Codec => ({
  toValue: (plain) =>
    fn(Object.entries(objectOf(plain)).map(([id, part]) => [str(id), within(`.${id}`, () => each.toValue(part))])),
  toPlain: (value) =>
    Object.fromEntries(
      (entriesOf(value) ?? misfit('a function', value)).map(([id, part]) => [text.toPlain(id), each.toPlain(part)]),
    ),
});

/** What a system need not show: it is `absent` then. */
export const optional = (codec: Codec, absent: unknown): Codec => ({
  toValue: (plain) => codec.toValue(plain === undefined ? absent : plain),
  toPlain: codec.toPlain,
});

export const recordOf = (fields: Readonly<Record<string, Codec>>): Codec => ({
  toValue: (plain) => {
    const object = objectOf(plain);
    return record(
      Object.entries(fields).map(
        ([name, codec]) => [name, within(`.${name}`, () => codec.toValue(object[name]))] as const,
      ),
    );
  },
  toPlain: (value) => {
    if (value.kind !== 'record') return misfit('a record', value);
    return Object.fromEntries(
      Object.entries(fields).map(([name, codec]) => [
        name,
        codec.toPlain(value.fields.get(name) ?? misfit(name, value)),
      ]),
    );
  },
});

/** Records of several shapes, told apart by their field `type`. */
export const oneOf = (shapes: Readonly<Record<string, Codec>>): Codec => ({
  toValue: (plain) => shapeFor(shapes, objectOf(plain).type).toValue(plain),
  toPlain: (value) => {
    const type = value.kind === 'record' ? value.fields.get('type') : undefined;
    return shapeFor(shapes, type?.kind === 'string' ? type.value : undefined).toPlain(value);
  },
});

function shapeFor(shapes: Readonly<Record<string, Codec>>, type: unknown): Codec {
  return (
    (typeof type === 'string' ? shapes[type] : undefined) ?? misfit(`one of ${Object.keys(shapes).join(', ')}`, type)
  );
}

function listOf(plain: unknown): readonly unknown[] {
  return Array.isArray(plain) ? plain : misfit('an array', plain);
}

function objectOf(plain: unknown): Record<string, unknown> {
  const isObject = typeof plain === 'object' && plain !== null && !Array.isArray(plain);
  return isObject ? (plain as Record<string, unknown>) : misfit('an object', plain);
}

function misfit(expected: string, found: unknown): never {
  const shown =
    JSON.stringify(found, (_key, part) => (typeof part === 'bigint' ? String(part) : part)) ?? String(found);
  throw new ShapeError(`expected ${expected}, found ${shown.slice(0, 80)}`);
}
