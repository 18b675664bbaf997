import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Two replicas, one record, one election: a few hundred states. */
export const ONE_RECORD = { MaxRecords: 1, MaxElections: 1, MaxCrashes: 0, MaxLostMessages: 0 };

/** The model Kip320Clean within other bounds. */
export function smallModel(folder: string, name: string, bounds: Readonly<Record<string, number>>): void {
  const models = join(folder, 'models');
  const config = Object.entries(bounds).reduce(
    (text, [constant, value]) => text.replace(new RegExp(`(${constant} = )\\d+`), `$1${value}`),
    readFileSync(join(models, 'Kip320Clean.cfg'), 'utf8'),
  );
  writeFileSync(join(models, `${name}.tla`), `---- MODULE ${name} ----\nEXTENDS MC\n====\n`);
  writeFileSync(join(models, `${name}.cfg`), config);
}
