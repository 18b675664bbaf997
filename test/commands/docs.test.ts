import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { run } from '../support/io.ts';
import { commandLines, parsed } from '../support/shell.ts';
import { ownFolder, ROOT } from '../support/spec.ts';
import { PATIENCE_MS, quickJava, unable } from '../support/tlc.ts';

const docs = existsSync(join(ROOT, 'docs')) ? readdirSync(join(ROOT, 'docs')) : [];
const documents = ['README.md', ...docs.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)];
const documented = documents
  .filter((file) => existsSync(join(ROOT, file)))
  .flatMap((file) => commandLines(file, readFileSync(join(ROOT, file), 'utf8')));

const NEEDS_JAVA = /leader-epoch (check|record|doctor|kafka|conform|validate)/;
const at = ownFolder();
afterAll(() => at.remove());

test('the README shows how to use it', () => {
  expect(documented.filter(({ file }) => file === 'README.md').length).toBeGreaterThan(3);
});

describe.each(documented)('$file says `$line`', ({ line, exitCode }) => {
  test.skipIf(unable !== null && NEEDS_JAVA.test(line))(
    `and it ends with ${exitCode}`,
    async () => {
      const { argv, env } = parsed(line, ROOT);
      // Where it says nothing else, a recording would go into traces/.
      const out = argv[0] === 'record' && !argv.includes('--out') ? ['--out', at.path] : [];
      const ran = await run([...argv, ...out], { env: { ...quickJava, ...env } });
      expect({ exitCode: ran.exitCode, err: ran.err }).toEqual({
        exitCode,
        err: exitCode === 2 ? expect.any(String) : '',
      });
      expect(ran.out.length + ran.err.length).toBeGreaterThan(0);
    },
    PATIENCE_MS,
  );
});

describe('reading command lines', () => {
  test('knows blocks, notes, continued lines, and which lines are ours', () => {
    const text = `Use it:

\`\`\`sh
npm install && npm start
npx leader-epoch check \\
  second-round
\`\`\`

<!-- exit: 1 -->
\`\`\`sh
leader-epoch replay 'a b.json'
\`\`\`

<!-- not run -->
\`\`\`sh
leader-epoch kafka
\`\`\`

\`\`\`text
leader-epoch claims
\`\`\`
`;
    expect(commandLines('X.md', text)).toEqual([
      { file: 'X.md', line: 'npx leader-epoch check second-round', exitCode: 0 },
      { file: 'X.md', line: "leader-epoch replay 'a b.json'", exitCode: 1 },
    ]);
  });

  test('splits them as a shell does', () => {
    expect(parsed(`A=1 npx leader-epoch replay 'a b' "c" d  # all`, ROOT)).toEqual({
      env: { A: '1' },
      argv: ['replay', 'a b', 'c', 'd'],
    });
    expect(parsed('leader-epoch replay spec/Ep*.tla "*"', ROOT).argv).toEqual(['replay', 'spec/EpochCache.tla', '*']);
    expect(() => parsed('leader-epoch claims | head', ROOT)).toThrow('needs a shell for "|"');
  });
});
