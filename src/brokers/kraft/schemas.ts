import { readFile } from 'node:fs/promises';
import { basename, delimiter } from 'node:path';
import { readZipEntry } from '../../tlc/index.ts';
import { type MessageSchema, parseSchema } from './schema.ts';

/** Definitions by the message's name. */
export class Schemas {
  readonly #byName: ReadonlyMap<string, MessageSchema>;

  constructor(schemas: readonly MessageSchema[]) {
    this.#byName = new Map(schemas.map((schema) => [schema.name, schema]));
  }

  of(name: string): MessageSchema {
    const schema = this.#byName.get(name);
    if (schema === undefined) throw new TypeError(`no definition of ${name} has been read`);
    return schema;
  }
}

/** Which jar carries them, and in which folder. */
const JARS = [
  { jar: /^kafka-clients-[\d.]+\.jar$/, folder: 'common/message' },
  { jar: /^kafka-metadata-[\d.]+\.jar$/, folder: 'common/metadata' },
];

/** Reads the definitions of these messages from the jars of a release. */
export async function readSchemas(classPath: string, names: readonly string[]): Promise<Schemas> {
  const jars = classPath.split(delimiter);
  const found: MessageSchema[] = [];
  for (const { jar, folder } of JARS) {
    const file = jars.find((path) => jar.test(basename(path)));
    if (file === undefined) continue;
    const zip = await readFile(file);
    for (const name of names) {
      const entry = readZipEntry(zip, `${folder}/${name}.json`);
      if (entry.kind === 'found') found.push(parseSchema(entry.bytes.toString('utf8')));
    }
  }
  const missing = names.filter((name) => !found.some((schema) => schema.name === name));
  if (missing.length > 0) throw new Error(`These jars carry no definition of ${missing.join(', ')}: ${classPath}`);
  return new Schemas(found);
}
