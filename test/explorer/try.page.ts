import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { useBrowser } from './browser.ts';

const { open } = useBrowser();

/** The step that the page marks as the recorded one. */
async function follow(page: Page, times: number): Promise<void> {
  for (let step = 0; step < times; step++) await page.locator('.take.recorded').click();
}

describe('trying it', () => {
  test('a first reader loses the record, and saves it by switching to KIP-101', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Play it' }).waitFor();
    await page.keyboard.press('End');
    await page.getByRole('button', { name: 'Now do it yourself' }).click();
    await follow(page, 12);
    expect(await page.locator('.verdict.bad').textContent()).toContain('CommittedSurvives is broken: m1');
    await page.getByRole('button', { name: 'Switch to KIP-101' }).click();
    expect(await page.locator('.outcome.good').textContent()).toBe(
      'Saved. Under KIP-101 a consumer reads m1 back from B, and all logs agree.',
    );
    expect(await page.locator('.pair .scene').count()).toBe(2);
    expect(await page.locator('.pair .gone.lost').count()).toBe(1);
    await page.keyboard.press('Home');
    expect(await page.locator('.compared .count').textContent()).toBe('0 / 23');
    await page.getByRole('button', { name: 'Back to trying' }).click();
    expect(await page.locator('.sentence .number').textContent()).toBe('Step 12');
  });

  test('on a narrow screen the scene and the way on stay in sight', async () => {
    const page = await open('', { viewport: { width: 390, height: 844 } });
    await page.getByRole('button', { name: 'Do it yourself' }).click();
    const way = page.locator('.quick .primary');
    const isSeen = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((one) => {
          const { top, bottom } = one.getBoundingClientRect();
          return top >= 0 && bottom <= innerHeight;
        });
    for (let step = 0; step < 12; step++) {
      expect(await isSeen('.quick .primary'), `${step}`).toBe(true);
      await way.click();
    }
    expect(await isSeen('.scene .gone.lost')).toBe(true);
    expect(await way.textContent()).toBe('Save it: KIP-101');
    await way.click();
    expect(await page.locator('.outcome').textContent()).toContain('Saved.');
  });

  test('shows where two rules part', async () => {
    const page = await open();
    await page.keyboard.press('End');
    await page.getByRole('button', { name: 'Now do it yourself' }).click();
    await follow(page, 12);
    await page.getByRole('button', { name: 'Switch to KIP-101' }).click();
    await page.getByRole('button', { name: 'Where they part' }).click();
    expect(await page.locator('.compared .what').textContent()).toContain(
      'With the other rule: B hears that A leads in epoch e1. Before it fetches it will ask A where to cut its log.',
    );
    expect(await page.locator('.pair .gone.cut').count()).toBe(1);
  });

  test('shows what the newest steps are about: ISRs that are asked for, eligible leaders, mixed rules', async () => {
    const page = await open('#try?rule=AsksForIsr&replicas=A.B&do=ShrinkIsr.A.B');
    expect(await page.locator('.scene .row').first().textContent()).toContain('asks for ISR A');
    await page.locator('[data-step="AlterPartition(A)"]').click();
    expect(await page.locator('.scene .row').first().textContent()).toContain('ISR A confirmed');
    expect(await page.locator('.sentence .what').textContent()).toContain('A has yet to hear of it.');
    const eligible = await open('#try?rule=Kafka_4_4&replicas=A.B&minIsr=2&with=EligibleLeaders&do=ShrinkIsr.A.B');
    expect(await eligible.locator('.scene .chip').allTextContents()).toContain('ELR B');
    expect(await eligible.locator('.scene .row').last().textContent()).toContain('not in the ISR, eligible');
    const mixed = await open('#watch/upgrade-half-raised/3');
    expect(await mixed.locator('.scene .row').last().textContent()).toContain('runs Kafka 2.0.1 speaking as 1.1');
    const older = await open('#watch/epoch-file-later-loss/14');
    expect(await older.locator('.scene .disk').last().textContent()).toContain('epoch file, older');
  });

  test('leaves the track, says why not, and takes a step back', async () => {
    const page = await open('#watch/fast-restart-told/6');
    await page.getByRole('button', { name: 'Try it from here' }).click();
    await page.locator('[data-step="HandleFetchResponse(B)"]').click();
    expect(await page.locator('.take.recorded').count()).toBe(0);
    expect(await page.locator('.scene .hw text').allTextContents()).toEqual(['HW 1', 'HW 0']);
    await page.getByText('others cannot happen now').click();
    expect(await page.locator('.impossible dl').textContent()).toContain(
      'A is leader, not down; B is follower, not down',
    );
    await page.keyboard.press('u');
    expect(await page.locator('.sentence .number').textContent()).toBe('Step 6');
    expect(await page.locator('.take.recorded').count()).toBe(1);
  });

  test('is shared by its URL: the steps, the rule, and what it is held against', async () => {
    const page = await open('#watch/fast-restart-told/0');
    await page.getByRole('button', { name: 'Try it', exact: true }).click();
    await follow(page, 3);
    await page.locator('[data-step="Crash(A)"]').click();
    const hash = () => new URL(page.url()).hash;
    await expect
      .poll(hash, { timeout: 5_000 })
      .toBe(
        '#try?rule=Kafka_0_10_2&replicas=A.B&minIsr=1&from=fast-restart-told&do=Write.A.all~SendFetch.B~HandleFetch.A.B~Crash.A',
      );
    const other = await open(hash());
    expect(await other.locator('.sentence .what').textContent()).toBe(
      await page.locator('.sentence .what').textContent(),
    );
    const compared = await open(`${hash()}&versus=Kip320`);
    expect(await compared.locator('.side-by-side h2').allTextContents()).toEqual(['Kafka 0.10.2', 'KIP-320']);
  });

  test('with another rule, three replicas, and min.insync.replicas 2 begins anew', async () => {
    const page = await open('#try?rule=Kip320&replicas=A.B.C&minIsr=2&do=Write.A.all');
    expect(await page.locator('.scene .name').allTextContents()).toEqual(['A', 'B', 'C']);
    await page.getByLabel('Every replica runs').selectOption('Kafka_2_8');
    expect(await page.locator('.sentence .call').textContent()).toBe('At first');
    await expect.poll(() => page.url(), { timeout: 5_000 }).toContain('#try?rule=Kafka_2_8&replicas=A.B.C&minIsr=2');
  });

  test.each([
    ['#try?rule=Nonsense&replicas=A.B', 'There is no profile "Nonsense"'],
    ['#try?rule=Kip101&replicas=A.B&do=Restart.A', 'Restart(A) is not possible after them'],
    ['#watch/no-such-trace/3', 'There is no trace “no-such-trace” here'],
  ])('of a link that cannot be followed (%s) says so', async (hash, message) => {
    const page = await open(hash);
    expect(await page.getByRole('alert').textContent()).toContain(message);
    expect(await page.locator('.scene').count()).toBe(1);
  });
});

describe('predicting', () => {
  test('asks before the step, judges the answer, and explains it by the rule', async () => {
    const page = await open('#predict/fast-restart-told/2');
    const question = page.getByRole('region', { name: 'Question' });
    expect(await question.locator('h2').textContent()).toBe(
      'B hears that A leads. To which offset will it cut its log?',
    );
    expect(await page.locator('.scene .cell').count()).toBe(2);
    await page.keyboard.press('2');
    expect(await question.locator('.judged').textContent()).toBe('Not so.');
    expect(await question.textContent()).toContain('Asking nobody, it cuts its log to its own high watermark, 0.');
    expect(await question.textContent()).toContain('Often believed: Cutting to one’s own high watermark is safe');
    expect(await question.textContent()).toContain('Kafka: Partition.makeFollower, ReplicaManager.makeFollowers.');
    expect(await page.locator('.scene .gone.cut').count()).toBe(1);
    await page.keyboard.press('n');
    expect(await question.locator('h2').textContent()).toContain('Does it have m1');
    await question.getByRole('button', { name: '2 No' }).click();
    expect(await question.locator('.judged').textContent()).toBe('Right.');
  });

  test('has questions for every claim, and a way from each misconception to its question', async () => {
    const page = await open('#predict');
    const claims = await page
      .getByLabel('Claim')
      .locator('option')
      .evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value));
    expect(claims.length).toBeGreaterThan(20);
    for (const claim of claims) {
      await page.getByLabel('Claim').selectOption(claim);
      expect(await page.locator('.options button').count(), claim).toBeGreaterThan(1);
    }
    const beliefs = page.getByRole('region', { name: 'Common misconceptions' }).getByRole('button');
    for (const belief of await beliefs.allTextContents()) {
      await beliefs.filter({ hasText: belief }).click();
      await page.locator('.options button').first().click();
      expect(await page.locator('.truth').textContent()).toContain(belief);
    }
  });
});
