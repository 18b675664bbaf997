import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { useBrowser } from './browser.ts';

const { open } = useBrowser();
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const SCREENS = [
  '#watch/fast-restart-told/0',
  '#watch/fast-restart-told/6',
  '#watch/hard-failures-told/16',
  '#try?rule=Kafka_0_10_2&replicas=A.B&from=fast-restart-told&do=Write.A.all~SendFetch.B',
  '#try?rule=AsksForIsr&replicas=A.B&do=ShrinkIsr.A.B',
  '#try?rule=Kip101&replicas=A.B&do=Write.A.all~SendFetch.B~HandleFetch.A.B&versus=Kip320',
  '#predict/fast-restart-told/1',
  '#capture/fast-restart-told/12',
];
const LOOKS = [
  { name: 'light', options: { colorScheme: 'light' } },
  { name: 'dark', options: { colorScheme: 'dark' } },
  { name: 'narrow', options: { viewport: { width: 390, height: 844 } } },
  { name: 'narrow and dark', options: { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } },
] as const;

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const run = (globalThis as unknown as { axe: { run: () => Promise<{ violations: Violation[] }> } }).axe.run;
    interface Violation {
      readonly id: string;
      readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
    }
    const { violations: found } = await run();
    return found.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 140)} ${failureSummary}`),
    );
  });
}

describe.each(LOOKS)('$name', ({ options }) => {
  test('no screen has a fault that axe knows, and none is wider than the window', async () => {
    const page = await open('', { ...options });
    for (const hash of SCREENS) {
      await page.evaluate((to) => {
        location.hash = to;
      }, hash);
      await page.waitForTimeout(50);
      if (hash.startsWith('#predict')) await page.locator('.options button').first().click();
      expect(await violations(page), hash).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), hash).toBeLessThanOrEqual(0);
    }
  });
});

describe('the keyboard alone suffices', () => {
  /** Goes on with Tab until a button with that name has the focus. */
  async function tabTo(page: Page, name: string): Promise<void> {
    for (let press = 0; press < 60; press++) {
      await page.keyboard.press('Tab');
      const label = await page.evaluate(() => document.activeElement?.closest('button')?.textContent ?? '');
      if (label.includes(name)) return;
    }
    throw new Error(`No way to ${name} by the keyboard`);
  }

  test('to lose a record from the first screen on, and to save it: with the arrows', async () => {
    const page = await open();
    await tabTo(page, 'Do it yourself');
    await page.keyboard.press('Enter');
    for (let step = 1; step <= 12; step++) {
      await page.keyboard.press('ArrowRight');
      await page.locator('.sentence .number', { hasText: `Step ${step}` }).waitFor();
    }
    await page.keyboard.press('ArrowLeft');
    expect(await page.locator('.sentence .number').textContent()).toBe('Step 11');
    await page.keyboard.press('ArrowRight');
    await tabTo(page, 'Switch to KIP-101');
    await page.keyboard.press('Enter');
    expect(await page.locator('.outcome').textContent()).toContain('Saved.');
  });

  test('... and with Tab and Enter, choice by choice', async () => {
    const page = await open('#try?rule=Kafka_0_10_2&replicas=A.B&from=fast-restart-told');
    for (let step = 0; step < 12; step++) {
      await tabTo(page, '★');
      await page.keyboard.press('Enter');
    }
    expect(await page.locator('.verdict.bad').textContent()).toContain('AckedSurvives is broken');
  });
});

test('a screen reader hears each step’s sentence, and the state in words', async () => {
  const page = await open('#watch/fast-restart-told/11');
  await page.keyboard.press('ArrowRight');
  const live = page.locator('.sentence [aria-live=polite]');
  expect(await live.textContent()).toContain('B hears that it leads in epoch e2');
  expect(await page.getByLabel('Step', { exact: true }).getAttribute('aria-valuetext')).toBe(
    'step 12 of 12: BecomeLeader(B, 2)',
  );
  expect(await page.locator('svg.scene').getAttribute('aria-label')).toBe(
    'Controller: epoch 2, leader B, in sync B. A: down, log m1·e1, high watermark on disk 1. B: leader, empty log, high watermark 0. Nothing is under way.',
  );
});

test('an epoch is told by its label and its pattern, not by its colour alone', async () => {
  const page = await open('#watch/hard-failures-told/16');
  expect(await page.locator('.scene .cell .epoch').allTextContents()).toEqual(['e1', 'e1', 'e1', 'e2']);
  const textures = await page
    .locator('.scene .cell .texture')
    .evaluateAll((all) => all.map((one) => one.getAttribute('fill')));
  expect(textures).toEqual(['url(#epoch-1)', 'url(#epoch-1)', 'url(#epoch-1)', 'url(#epoch-2)']);
});

test('the theme can be chosen, and motion is left out where it is not wanted', async () => {
  const page = await open();
  await page.getByRole('button', { name: 'Dark' }).click();
  const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
  await expect.poll(scheme, { timeout: 5_000 }).toBe('dark');
  expect(
    await page
      .locator('.scene .mark')
      .first()
      .evaluate((mark) => getComputedStyle(mark).transitionDuration),
  ).toBe('0s');
});

test('it is one file under 1.5 MB', async () => {
  const page = await open();
  expect(await page.evaluate(() => document.documentElement.outerHTML.length)).toBeLessThan(1_500_000);
});
