/**
 * How fast the page is, in Chromium: its size, the first paint, and stepping and scrubbing through a made trace of 2,000
 * steps. `npm run bench:page`.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { recordedTraces } from '../src/commands/traces.ts';
import { bundlePage, collectData, pageHtml } from '../src/page/index.ts';
import { actionOf, configOf, Run } from '../src/replay/index.ts';
import type { WorldStep } from '../src/systems/system.ts';
import type { State, Trace } from '../src/trace/index.ts';
import { parseItf, printItf } from '../src/trace/index.ts';

const STEPS = 2000;
const files = await recordedTraces();
const data = await collectData(files);
const long = { name: 'long', text: printItf(longTrace(parseItf(data.traces[0]!.text))) };
const html = pageHtml(await bundlePage(process.env), data);
const longHtml = pageHtml(await bundlePage(process.env), { ...data, traces: [long, ...data.traces], first: 'long' });

const folder = await mkdtemp(join(tmpdir(), 'leader-epoch-bench-'));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  console.log(`the page: ${Math.ceil(html.length / 1024)} KB, ${files.length} traces`);
  for (const [name, text] of [
    ['the recorded traces', html],
    [`a trace of ${STEPS} steps`, longHtml],
  ] as const) {
    const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.html`);
    await writeFile(file, text);
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(pathToFileURL(file).href);
    await page.waitForSelector('html[data-ready]');
    const paint = await page.evaluate(() => {
      const first = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN;
      return { first, ready: performance.now() };
    });
    console.log(`${name}: first paint after ${paint.first.toFixed(0)} ms, ready after ${paint.ready.toFixed(0)} ms`);
    if (text === longHtml) {
      for (const how of ['step', 'scrub'] as const) {
        const times = await page.evaluate(timesOf, { how, steps: STEPS });
        const at = (share: number) => times[Math.floor((times.length - 1) * share)]!.toFixed(1);
        console.log(
          `${how}: median ${at(0.5)} ms, 95 of 100 within ${at(0.95)} ms, longest ${at(1)} ms (${times.length} times)`,
        );
      }
    }
    await page.close();
  }
} finally {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
}

/** In the page: from the key or the slider to the new state in the document, laid out. Sorted. */
async function timesOf({ how, steps }: { how: 'step' | 'scrub'; steps: number }): Promise<number[]> {
  const slider = document.querySelector<HTMLInputElement>('.timeline input[type=range]')!;
  const shown = () => document.querySelector('.timeline .count')?.textContent;
  const times: number[] = [];
  for (let n = 0; n < 200; n++) {
    const before = shown();
    const started = performance.now();
    if (how === 'step') document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
    else {
      // Never where it is already: nothing would change.
      const to = (n * 7919) % steps;
      slider.value = String(String(to) === slider.value ? to + 1 : to);
      slider.dispatchEvent(new Event('input', { bubbles: true }));
    }
    while (shown() === before) await new Promise<void>((resolve) => queueMicrotask(() => setTimeout(resolve, 0)));
    document.body.getBoundingClientRect();
    times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b);
}

/** Writes, fetches, restarts and elections in turn, as they come. */
function longTrace(like: Trace): Trace {
  const constants = new Map(like.constants);
  const run = new Run(configOf({ vars: like.vars, constants }));
  const states: State[] = [run.state()];
  const actions: Trace['actions'][number][] = [null];
  for (let n = 0; actions.length <= STEPS; n++) {
    const enabled = run.cluster
      .enabled()
      .filter(({ action }) => !['PowerLoss', 'ElectUnclean', 'LoseMessage'].includes(action));
    const step = chosen(enabled, n);
    run.step(step);
    states.push(run.state());
    actions.push(actionOf(step));
  }
  return { ...like, states, actions, constants, meta: {} };
}

/** Mostly messages; now and then a record, seldom a fault. */
function chosen(enabled: readonly WorldStep[], n: number): WorldStep {
  const often = enabled.filter(({ action }) => /Fetch|Offsets|Become|Restart|ExpandIsr/.test(action));
  const pool =
    n % 60 === 59 || often.length === 0
      ? enabled
      : n % 40 === 39
        ? enabled.filter(({ action }) => action === 'Write')
        : often;
  const from = pool.length > 0 ? pool : enabled;
  return from[(n * 31) % from.length]!;
}
