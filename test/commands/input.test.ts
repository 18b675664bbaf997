/** Texts that a user names: in which encodings they are read, and what is said of those that are none. */

import { constants } from 'node:buffer';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { textOf } from '../../src/commands/input.ts';
import { run } from '../support/io.ts';

const own = mkdtempSync(join(tmpdir(), 'leader-epoch-test-'));
afterAll(() => rmSync(own, { recursive: true, force: true }));

const ITF = '{"vars":["x"],"states":[{"x":"é"}]}';
const ADVICE = 'Unpack it if it is packed; a text in another encoding becomes UTF-8 with iconv.';

function written(name: string, bytes: Uint8Array | string): string {
  const file = join(own, name);
  writeFileSync(file, bytes);
  return file;
}

describe('a text', () => {
  test.each([
    ['in UTF-8 with its mark', Buffer.from(`\uFEFF${ITF}`)],
    ['in UTF-16, as PowerShell writes it', Buffer.from(`\uFEFF${ITF}`, 'utf16le')],
    ['in UTF-16, the high byte first', Buffer.from(`\uFEFF${ITF}`, 'utf16le').swap16()],
  ])('%s is read', async (_how, bytes) => {
    const { exitCode, out } = await run(['convert', written('marked.json', bytes), '-', '--to', 'text']);
    expect([exitCode, out]).toEqual([0, 'State 1: <Initial predicate>\nx = "é"']);
  });

  test.each([
    ['Latin-1', Buffer.from(`{"vars":["x"],\n"states":[{"x":"é"}]}`, 'latin1'), 'line 2, column 17', 'E9'],
    ['packed', Buffer.from([0x1f, 0x8b, 0x08]), 'line 1, column 2', '8B'],
  ])('%s is not read as other letters than were written', async (_what, bytes, place, byte) => {
    const file = written('other.itf.json', bytes);
    const problem = `${file}, ${place}: expected text in UTF-8, found the byte ${byte}. ${ADVICE}`;
    expect(await run(['replay', file])).toMatchObject({ exitCode: 2, err: problem });
    expect(await run(['convert', file, '-', '--to', 'text'])).toEqual({ exitCode: 2, out: '', err: problem });
    expect(await run(['validate', file])).toEqual({ exitCode: 2, out: '', err: problem });
  });

  test.each(
    ['é', '本', '😀'].flatMap((letter) => [1, Buffer.byteLength(letter) - 1].map((left) => [letter, left] as const)),
  )('cut inside a letter is a text that is cut: %s after %i', async (letter, left) => {
    const bytes = Buffer.from(`{"vars":["${letter}`);
    const file = written('cut.json', bytes.subarray(0, bytes.length - Buffer.byteLength(letter) + left));
    const problem = `${file}: the file is cut: it ends inside vars[0] (line 1, column 11). Copy the file or record the trace again.`;
    expect((await run(['convert', file, '-', '--to', 'text'])).err).toBe(problem);
    expect((await run(['validate', file])).err).toMatch(/line 1: the last line is cut off \("\{"vars":\[""\)\./);
  });

  test('is not larger than a string can be', async () => {
    const most = Math.floor(constants.MAX_STRING_LENGTH / 1e6);
    const problem = `large is too large: expected at most ${most} MB. Cut it into parts.`;
    expect(() => textOf(Buffer.alloc(constants.MAX_STRING_LENGTH + 1), 'large')).toThrow(problem);
    // Sparse: it takes no room.
    const file = written('large', '');
    truncateSync(file, 2 ** 31);
    const { exitCode, err } = await run(['validate', file]);
    expect([exitCode, err]).toEqual([2, `${own}/${problem}`]);
  });

  test('that is a folder, or nowhere, is named', async () => {
    expect((await run(['validate', own])).err).toBe(`${own} is a folder: name a file in it.`);
    expect((await run(['validate', 'nowhere'])).err).toBe(
      'There is no log nowhere. docs/conformance.md tells what is in one.',
    );
  });
});

test('the log of a run may begin with the mark of UTF-8', async () => {
  const header =
    '{"log":"leader-epoch","version":1,"config":{"replicas":["A"],"firstLeader":"A","profileOf":{"A":"Kip101"}}}';
  const { err } = await run(['validate', written('marked.ndjson', `\uFEFF${header}\n`)]);
  expect(err).toMatch(/marked\.ndjson has no events: nothing was logged, so nothing can be said of it\.$/);
  expect(readFileSync(join(own, 'marked.ndjson'), 'utf8')).toContain('\uFEFF');
});
