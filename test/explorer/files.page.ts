import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { equal } from '../../src/tla/index.ts';
import { parseItf } from '../../src/trace/index.ts';
import { ROOT } from '../support/spec.ts';
import { useBrowser } from './browser.ts';
import { CLUSTER_OF_OTHERS } from './fixtures.ts';

const { open } = useBrowser();
const recorded = (name: string) => readFileSync(join(ROOT, 'traces', `${name}.itf.json`), 'utf8');

async function choose(page: Page, name: string, text: string): Promise<void> {
  await page
    .getByLabel('A trace in ITF')
    .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
}

async function drop(page: Page, name: string, text: string): Promise<void> {
  const dropped = await page.evaluateHandle(
    ([file, content]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content!], file!, { type: 'application/json' }));
      return transfer;
    },
    [name, text],
  );
  await page.dispatchEvent('body', 'drop', { dataTransfer: dropped });
}

describe('a trace from the disk', () => {
  test('of this protocol, dropped: with its scene', async () => {
    const page = await open();
    await drop(page, 'mine.itf.json', recorded('hard-failures-told'));
    await page.getByRole('heading', { name: 'mine.itf.json' }).waitFor();
    await page.keyboard.press('End');
    expect(await page.locator('.scene .cell.fork').count()).toBe(2);
  });

  test('of another specification: its variables, R07’s steps marked, the loop closed', async () => {
    const page = await open();
    await choose(page, 'others.itf.json', CLUSTER_OF_OTHERS);
    await page.getByRole('heading', { name: 'others.itf.json' }).waitFor();
    expect(await page.locator('.about .verdict').textContent()).toContain('This is a trace of another specification');
    expect(await page.locator('.scene').count()).toBe(0);
    const marks = () => page.locator('.tree .changed .removed').allTextContents();
    await page.keyboard.press('ArrowRight');
    expect(await marks()).toEqual(['∋ "b3"removed']);
    await page.keyboard.press('ArrowRight');
    expect(await marks()).toEqual(['unclean FALSEremoved', '3 "z"removed']);
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('.variables .bar').textContent()).toContain('No variable changed.');
    expect(await page.locator('.sentence .tag').allTextContents()).toEqual(['stutters', 'in the loop']);
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('.sentence .number').textContent()).toBe('Step 1');
  });

  test.each([
    ['no JSON', 'notes.txt', 'Dear diary', 'notes.txt: line 1, column 1'],
    ['an empty file', 'empty.json', '', 'empty.json'],
    ['JSON of another kind', 'other.json', '{"hello":1}', 'other.json: vars: expected a list of the names'],
    ['a picture', 'cat.png', '\u0000\u0001\u0002', 'cat.png: line 1, column 1'],
  ])('%s: says what is wrong and keeps what was shown', async (_kind, name, text, message) => {
    const page = await open('#watch/fast-restart-told/3');
    await drop(page, name, text);
    const problem = page.getByRole('alert');
    await problem.waitFor();
    expect(await problem.textContent()).toContain(message);
    expect(await page.locator('.sentence .number').textContent()).toBe('Step 3');
    await problem.getByRole('button').click();
    expect(await problem.count()).toBe(0);
  });
});

describe('what is saved', () => {
  const saved = async (page: Page, button: string): Promise<Buffer> => {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: button }).click();
    return readFileSync(await (await download).path());
  };

  test('as ITF is the trace itself', async () => {
    const page = await open('#capture/kip279-unfenced/3');
    const [one, other] = [
      parseItf((await saved(page, 'Trace (ITF)')).toString()),
      parseItf(recorded('kip279-unfenced')),
    ];
    expect(one.actions).toEqual(other.actions);
    expect(one.meta).toEqual(other.meta);
    for (const [index, state] of one.states.entries()) {
      for (const name of one.vars) expect(equal(state.get(name)!, other.states[index]!.get(name)!)).toBe(true);
    }
  });

  test('as Markdown tells each step, with a diagram', async () => {
    const page = await open('#capture/fast-restart-told/12');
    const text = (await saved(page, 'Report')).toString();
    expect(text).toContain(
      '```mermaid\nsequenceDiagram\n    participant clients as clients\n    participant R_A as A\n',
    );
    expect(text).toContain('    R_A--xR_B: 6. HW 0 (lost)\n');
    expect(text).toContain('| 12 | `BecomeLeader(B, 2)` | B hears that it leads in epoch e2');
    expect(text).toContain('CommittedSurvives is broken: m1 was committed at offset 0');
  });

  test('as pictures: SVG that stands alone, PNG of the scene', async () => {
    const page = await open('#capture/fast-restart-told/12');
    const scene = (await saved(page, 'Scene (SVG)')).toString();
    expect(scene).toContain('LOST');
    expect(scene).toMatch(/--bad: #[0-9a-f]{6}/);
    const png = await saved(page, 'Scene (PNG)');
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect(png.readUInt32BE(16)).toBeGreaterThan(800);
    const sequence = (await saved(page, 'Sequence diagram')).toString();
    for (const text of [scene, sequence]) {
      const drawn = await page.evaluate(async (svg) => {
        const image = new Image();
        image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
        await image.decode();
        return image.naturalWidth;
      }, text);
      expect(drawn).toBeGreaterThan(300);
    }
  });
});
