import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
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
