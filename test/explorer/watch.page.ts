import { describe, expect, test } from 'vitest';
import { useBrowser } from './browser.ts';

const { open } = useBrowser();

describe('watching the data loss', () => {
  test('begins with two empty logs', async () => {
    const page = await open();
    expect(await page.locator('.sentence .what').textContent()).toBe(
      'At first A leads in epoch e1, B follows. Both logs are empty.',
    );
    expect(await page.locator('.scene .cell').count()).toBe(0);
  });

  test('steps with the keys, both ways', async () => {
    const page = await open();
    for (let step = 0; step < 6; step++) await page.keyboard.press('ArrowRight');
    const what = page.locator('.sentence .what');
    expect(await what.textContent()).toContain(
      'The reply carries no records, and the high watermark as it was before, 0.',
    );
    expect(await page.locator('.scene .hw text').allTextContents()).toEqual(['HW 1', 'HW 0']);
    await page.keyboard.press('ArrowLeft');
    expect(await what.textContent()).toContain('Step 5 B asks A for records from offset 1 on');
    await page.keyboard.press('Home');
    expect(await what.textContent()).toContain('At first');
  });

  test('ends with the record lost, beyond doubt', async () => {
    const page = await open();
    await page.keyboard.press('End');
    expect(await page.locator('.scene .gone.lost').textContent()).toBe('m1LOST');
    expect(await page.locator('.scene .chip.bad').allTextContents()).toEqual(['m1 “stored”, lost', 'm1 gone']);
    expect(await page.locator('.verdict.bad').textContent()).toContain('CommittedSurvives is broken: m1 was committed');
  });
});
