import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../support/spec.ts';
import { useBrowser } from './browser.ts';

const { open } = useBrowser();
const TRACES = readdirSync(join(ROOT, 'traces')).flatMap((name) => /^(.*)\.itf\.json$/.exec(name)?.[1] ?? []);

const what = (page: Page) => page.locator('.sentence .what').textContent();
const called = (page: Page) => page.locator('.sentence .call').textContent();

describe('watching the data loss', () => {
  test('begins with two empty logs, and steps with the keys, both ways', async () => {
    const page = await open();
    expect(await what(page)).toBe('A leads in epoch e1, B follows. Both logs are empty.');
    expect(await page.locator('.scene .cell').count()).toBe(0);
    for (let step = 0; step < 6; step++) await page.keyboard.press('ArrowRight');
    expect(await what(page)).toContain('The reply carries no records, and the high watermark as it was before, 0.');
    expect(await page.locator('.scene .hw text').allTextContents()).toEqual(['HW 1', 'HW 0']);
    expect(await page.locator('.scene .message').textContent()).toBe('Reply A → Bno records, HW 0');
    await expect.poll(() => page.url(), { timeout: 5_000 }).toMatch(/#watch\/fast-restart-told\/6$/);
    await page.keyboard.press('ArrowLeft');
    expect(await called(page)).toBe('Step 5SendFetch(B)');
    await page.keyboard.press('Home');
    expect(await called(page)).toBe('At first');
  });

  test('ends with the record lost, beyond doubt', async () => {
    const page = await open();
    await page.keyboard.press('End');
    expect(await page.locator('.scene .gone.lost').textContent()).toBe('m1LOST');
    expect(await page.locator('.scene .chip.bad').allTextContents()).toEqual(['m1 stored, lost', 'm1 gone']);
    expect(await page.locator('.verdict.bad').textContent()).toContain('CommittedSurvives is broken: m1 was committed');
  });

  test('plays by itself, and stops at the end', async () => {
    const page = await open('#watch/fast-restart-told/10');
    await page.getByLabel('Speed').selectOption('4');
    await page.locator('body').press(' ');
    await page.getByText('Now do it yourself').waitFor();
    expect(await called(page)).toBe('Step 12BecomeLeader(B, 2)');
  });

  test('shows the code that ran, and the branch of the specification', async () => {
    const page = await open('#watch/fast-restart-told/9');
    const ran = (await page.getByLabel('Implementation').locator('.ran').allTextContents()).join('\n');
    expect(ran).toContain("memory.fetchState = 'fetching';");
    expect(ran).toContain('truncateTo(config, profile, replica, toHighWatermark(own));');
    expect(ran).not.toContain("memory.fetchState = 'truncating';");
    const taken = (await page.getByLabel('Specification').locator('.ran').allTextContents()).join('');
    expect(taken).toContain('/\\ fetchState\' = [fetchState EXCEPT ![f] = "fetching"]');
    expect(taken).toContain('ELSE Truncate(f, Min(hw[f], Leo(f)))');
    expect(taken).not.toContain('"truncating"]');
  });

  test('shows the variables that changed', async () => {
    const page = await open('#watch/fast-restart-told/9');
    await page.getByRole('tab', { name: 'The variables that changed' }).click();
    const tree = page.locator('.tree');
    expect(await tree.locator('li.removed').first().textContent()).toContain('[epoch |-> 1, id |-> 1]');
    await page.getByText('show all').click();
    expect(await tree.locator('> li').count()).toBe(26);
  });

  test('says at first what it comes to, and what the signs mean', async () => {
    const page = await open();
    expect(await page.locator('.goal').textContent()).toBe('Kafka 0.10.2. In 12 steps, a committed record is lost.');
    expect(await page.locator('.legend dt').allTextContents()).toEqual(['m1e1', '✓', 'HW', 'LEO', 'ISR']);
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('.legend').count()).toBe(0);
    await page.keyboard.press('Home');
    await page.getByRole('button', { name: 'Predict it' }).click();
    expect(await page.getByLabel('Claim').inputValue()).toBe('fast-restart-told');
  });

  test('shows what goes round for ever, and the way back into it', async () => {
    const page = await open('#watch/truncation-never-ends/12');
    expect(await page.locator('.sentence .tag').allTextContents()).toEqual(['in the loop']);
    expect(await page.locator('.verdict.bad').textContent()).toContain('what comes now comes again and again');
    expect(await page.locator('.timeline .marks .loop').count()).toBe(1);
    await page.getByRole('button', { name: 'Back to step 10, where it goes on for ever' }).click();
    expect(await called(page)).toContain('Step 10');
  });

  test('has every message in the swimlane, a lost one too, and goes where one clicks', async () => {
    const page = await open();
    const lane = page.getByLabel('All messages');
    expect(await lane.locator('.arrow title').allTextContents()).toEqual([
      'a client writes m1',
      "B's fetch from offset 0",
      "A's reply to B's fetch",
      "B's fetch from offset 1",
      "A's reply to B's fetch",
      'told that m1 is stored',
    ]);
    expect(await lane.locator('.arrow.lost').count()).toBe(1);
    expect(await lane.locator('.note text').allTextContents()).toEqual([
      ...['crashes', 'restarts', 'follows A, cuts 1', 'crashes', 'B leads e2', 'leads e2'],
    ]);
    await lane.locator('.hit').nth(9).click();
    expect(await called(page)).toBe('Step 9BecomeFollower(B, 1)');
  });
});

test('every recorded trace goes from its beginning to its end, each step with a sentence and the code that ran', {
  timeout: 300_000,
}, async () => {
  expect(TRACES.length).toBeGreaterThan(10);
  const page = await open();
  for (const name of TRACES) {
    await page.getByLabel('Counterexample').selectOption(name);
    await page.locator('.sentence .call', { hasText: 'At first' }).waitFor();
    const last = Number(await page.getByLabel('Step', { exact: true }).getAttribute('max'));
    for (let step = 1; step <= last; step++) {
      await page.keyboard.press('ArrowRight');
      const shown = await page.evaluate(() => ({
        call: document.querySelector('.sentence .call')?.textContent ?? '',
        what: document.querySelector('.sentence .what')?.textContent ?? '',
        ran: document.querySelectorAll('.listing .ran').length,
        listings: [...document.querySelectorAll('.listing')].map((one) => one.querySelectorAll('details').length > 0),
      }));
      expect(shown.call, name).toMatch(new RegExp(`^Step ${step}[A-Z]\\w+\\(`));
      expect(shown.what.length, `${name} ${shown.call}`).toBeGreaterThan(20);
      expect(shown.listings, `${name} ${shown.call}`).toEqual([true, true]);
      expect(shown.ran, `${name} ${shown.call}`).toBeGreaterThan(1);
    }
    expect(await page.locator('.verdict.bad').count(), name).toBe(1);
  }
});
