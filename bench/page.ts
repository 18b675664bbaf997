/**
 * How fast the page is, in Chromium: its size, the first paint, and stepping and scrubbing through a made trace of 2,000
 * steps. `npm run bench:page`.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type CDPSession, chromium } from 'playwright-core';
import { recordedTraces } from '../src/commands/traces.ts';
import { bundlePage, collectData, pageHtml } from '../src/page/index.ts';
import { parseItf, printItf } from '../src/trace/index.ts';
import { longTrace } from './long-trace.ts';

const STEPS = 2000;
const files = await recordedTraces();
const data = await collectData(files);
const long = { name: 'long', text: printItf(longTrace(parseItf(data.traces[0]!.text), STEPS)) };
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
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
      for (const how of ['step', 'scrub'] as const) {
        const before = await processorMs(devtools);
        const times = await page.evaluate(timesOf, { how, steps: STEPS });
        const each = ((await processorMs(devtools)) - before) / times.length;
        const at = (share: number) => times[Math.floor((times.length - 1) * share)]!.toFixed(1);
        console.log(
          `${how}: laid out after ${at(0.5)} ms (median; 95 of 100 within ${at(0.95)} ms); ${each.toFixed(1)} ms of processor each, painting included (${times.length} times)`,
        );
      }
    }
    await page.close();
  }
} finally {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
}

/** What the page's thread has worked so far, whatever else the machine does. */
async function processorMs(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
}

/** In the page: from the key or the slider to the new state in the document, laid out. Sorted. Each is painted before the next. */
async function timesOf({ how, steps }: { how: 'step' | 'scrub'; steps: number }): Promise<number[]> {
  const slider = document.querySelector<HTMLInputElement>('.timeline input[type=range]')!;
  const shown = () => document.querySelector('.timeline .count')?.textContent;
  const isPainted = () =>
    new Promise<unknown>((resolve) => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = resolve;
        port2.postMessage(null);
      });
    });
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
    // The view follows in a microtask.
    for (let turn = 0; shown() === before; turn++) {
      if (turn > 1000) throw new Error(`The page does not follow a ${how}`);
      await null;
    }
    document.body.getBoundingClientRect();
    times.push(performance.now() - started);
    await isPainted();
  }
  return times.sort((a, b) => a - b);
}
