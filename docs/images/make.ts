/** The pictures of README and docs, from the page itself: `npm run screenshots`. Needs Chromium. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { writePage } from '../../src/commands/report.ts';

const LOSS =
  'Write.A.all~SendFetch.B~HandleFetch.A.B~HandleFetchResponse.B~SendFetch.B~HandleFetch.A.B~Crash.B~Restart.B~BecomeFollower.B.1~Crash.A~Elect.B~BecomeLeader.B.2';

const PICTURES = [
  { name: 'data-loss', hash: '#watch/fast-restart-told/12', height: 850 },
  {
    name: 'side-by-side',
    hash: `#try?rule=Kafka_0_10_2&replicas=A.B&minIsr=1&from=fast-restart-told&versus=Kip101&do=${LOSS}`,
    height: 800,
  },
  { name: 'predict', hash: '#predict/fast-restart-told/2', height: 640 },
];

const folder = await mkdtemp(join(tmpdir(), 'leader-epoch-pictures-'));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  const file = join(folder, 'page.html');
  const io = { out: () => {}, err: () => {}, isTerminal: false, columns: 100, env: process.env };
  await writePage(file, { ...io, signal: new AbortController().signal });
  for (const { name, hash, height } of PICTURES) {
    const page = await browser.newPage({ viewport: { width: 1280, height }, reducedMotion: 'reduce' });
    await page.goto(`${pathToFileURL(file)}${hash}`);
    await page.waitForSelector('html[data-ready] svg.scene');
    const path = fileURLToPath(new URL(`./${name}.png`, import.meta.url));
    await page.screenshot({ path });
    console.log(path);
    await page.close();
  }
} finally {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
}
