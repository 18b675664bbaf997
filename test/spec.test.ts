import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readProfiles } from '../src/claims/index.ts';
import { main } from '../src/cli.ts';
import { findJar, findJava } from '../src/tlc/index.ts';

const spec = fileURLToPath(new URL('../spec/', import.meta.url));
const java = await findJava();

describe('the specification', () => {
  it.each([
    ['claims', 'claims.json', '--markdown'],
    ['bugs', 'claims.json', '--bugs'],
    ['beyond', 'beyond.json', '--beyond'],
  ])('has the table of %s that %s makes', async (name, _, option) => {
    const lines: string[] = [];
    const io = {
      out: (line: string) => lines.push(line),
      err: (line: string) => lines.push(line),
      isTerminal: false,
      columns: 80,
      env: process.env,
      signal: new AbortController().signal,
    };
    expect(await main(['claims', option], io)).toBe(0);
    const readme = readFileSync(join(spec, 'README.md'), 'utf8');
    const table = new RegExp(`<!-- ${name} -->\\n([\\s\\S]*)<!-- /${name} -->`).exec(readme)?.[1];
    expect(table?.trimEnd().split('\n')).toEqual(lines);
  });

  it('says of each release which switches it changes', () => {
    const profiles = readProfiles(readFileSync(join(spec, 'Profiles.tla'), 'utf8'));
    const before = { Kafka_0_11_0: 'Kafka_0_10_2', Kafka_1_1_0: 'Kafka_0_11_0', Kafka_1_1_1: 'Kafka_1_1_0' };
    const since = { Kafka_2_0_0: 'Kafka_1_1_1', Kafka_2_0_1: 'Kafka_2_0_0', Kafka_2_1: 'Kafka_2_0_1' };
    const later = {
      Kafka_2_7: 'Kafka_2_1',
      Kafka_2_8_0: 'Kafka_2_7',
      Kafka_2_8: 'Kafka_2_8_0',
      Kafka_3_5: 'Kafka_2_8',
    };
    const pairs = Object.entries({ ...before, ...since, ...later, Kafka_3_9: 'Kafka_3_5', Kafka_4_4: 'Kafka_3_9' });
    const changed = pairs.flatMap(([name, from]) =>
      Object.entries(profiles.get(name) ?? {}).flatMap(([field, value]) =>
        profiles.get(from)?.[field] === value ? [] : [`${name} | ${field} | ${value}`],
      ),
    );
    const readme = readFileSync(join(spec, 'README.md'), 'utf8');
    const table = /<!-- releases -->\n([\s\S]*)<!-- \/releases -->/.exec(readme)?.[1] ?? '';
    const rows = [...table.matchAll(/^\| (Kafka_\w+ \| \w+ \| \w+) \|/gm)].map(([, row]) => row);
    expect(rows.sort()).toEqual(changed.sort());
  });

  it.runIf(java.ok)(
    'opens as it is in the VS Code extension: model and configuration of one name, modules above',
    async () => {
      const jar = await findJar();
      if (!jar.ok || !java.ok) throw new Error('no jar');
      const settings = JSON.parse(readFileSync(join(spec, '../.vscode/settings.json'), 'utf8'));
      expect(settings).toEqual({ 'tlaplus.moduleSearchPaths': ['..'] });
      const own = mkdtempSync(join(tmpdir(), 'leader-epoch-test-'));
      // As the extension calls it: in the folder of the model, which is what the search path is relative to.
      const args = [
        '-cp',
        jar.jar.path,
        `-Djava.io.tmpdir=${own}`,
        '-DTLA-Library=..',
        'tlc2.TLC',
        'FastRestartTold.tla',
        '-tool',
      ];
      const { status, stdout } = spawnSync(
        java.java.path,
        [...args, '-modelcheck', '-config', 'FastRestartTold.cfg', '-metadir', join(own, 'states')],
        { cwd: join(spec, 'models'), encoding: 'utf8' },
      );
      rmSync(own, { recursive: true });
      expect(stdout).toContain('Invariant CommittedSurvives is violated.');
      expect(status).toBe(12);
    },
  );
});
