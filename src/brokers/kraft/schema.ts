import { z } from 'zod';

/**
 * The definition of a message, as Kafka's jars carry it in JSON: from these Kafka generates its own code, so nothing of a
 * message's layout needs to be written here.
 */
export interface MessageSchema {
  readonly name: string;
  readonly apiKey: number;
  readonly validVersions: VersionRange;
  /** Versions with compact lengths and tagged fields (KIP-482). */
  readonly flexibleVersions: VersionRange;
  readonly fields: readonly Field[];
}

export interface Field {
  /** As in the JSON of a message: with a small first letter. */
  readonly name: string;
  /** A primitive, a structure's name, or `[]` before either. */
  readonly type: string;
  readonly versions: VersionRange;
  readonly nullableVersions: VersionRange;
  readonly taggedVersions: VersionRange;
  readonly flexibleVersions: VersionRange | null;
  readonly tag: number;
  /** As written; undefined: the type's own. */
  readonly default: string | number | boolean | undefined;
  /** Of a structure. */
  readonly fields: readonly Field[];
}

export interface VersionRange {
  readonly from: number;
  readonly to: number;
}

export const NONE: VersionRange = { from: 1, to: 0 };

export function includes({ from, to }: VersionRange, version: number): boolean {
  return from <= version && version <= to;
}

const rawField = z.object({
  name: z.string(),
  type: z.string(),
  versions: z.string(),
  nullableVersions: z.string().default('none'),
  taggedVersions: z.string().default('none'),
  flexibleVersions: z.string().optional(),
  tag: z.coerce.number().default(-1),
  default: z.union([z.string(), z.number(), z.boolean()]).optional(),
  get fields() {
    return z.array(rawField).optional();
  },
});
type RawField = z.infer<typeof rawField>;

const rawSchema = z.object({
  name: z.string(),
  apiKey: z.number(),
  validVersions: z.string(),
  flexibleVersions: z.string().default('none'),
  fields: z.array(rawField),
  commonStructs: z.array(z.object({ name: z.string(), fields: z.array(rawField) })).default([]),
});

/** Reads a definition: JSON with comment lines. A RangeError or ZodError says what is wrong with it. */
export function parseSchema(text: string): MessageSchema {
  const raw = rawSchema.parse(JSON.parse(text.replace(/^\s*\/\/.*$/gm, '')));
  const common = new Map(raw.commonStructs.map(({ name, fields }) => [name, fields]));
  const fieldOf = ({ fields, ...field }: RawField): Field => ({
    name: field.name.charAt(0).toLowerCase() + field.name.slice(1),
    type: field.type,
    versions: parseVersions(field.versions),
    nullableVersions: parseVersions(field.nullableVersions),
    taggedVersions: parseVersions(field.taggedVersions),
    flexibleVersions: field.flexibleVersions === undefined ? null : parseVersions(field.flexibleVersions),
    tag: field.tag,
    default: field.default,
    fields: (fields ?? common.get(field.type.replace('[]', '')) ?? []).map(fieldOf),
  });
  return {
    name: raw.name,
    apiKey: raw.apiKey,
    validVersions: parseVersions(raw.validVersions),
    flexibleVersions: parseVersions(raw.flexibleVersions),
    fields: raw.fields.map(fieldOf),
  };
}

/** `4-18`, `12+`, `3`, `none` */
export function parseVersions(text: string): VersionRange {
  if (text === 'none') return NONE;
  const match = /^(\d+)(\+|-(\d+))?$/.exec(text);
  if (match === null) throw new RangeError(`"${text}" is no range of versions`);
  const from = Number(match[1]);
  if (match[3] !== undefined) return { from, to: Number(match[3]) };
  return { from, to: match[2] === undefined ? from : Number.POSITIVE_INFINITY };
}
