import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** A browser for the tests of a file, and pages in it. What a page complains about fails the test that opened it. */
export function useBrowser(): {
  open: (hash?: string, options?: BrowserContextOptions, url?: string) => Promise<Page>;
} {
  let browser: Browser;
  const opened: { page: Page; complaints: string[] }[] = [];

  beforeAll(async () => {
    if (!existsSync(CHROMIUM)) throw new Error(`There is no ${CHROMIUM}: apt-get install chromium, or set CHROMIUM.`);
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    for (const { page, complaints } of opened.splice(0)) {
      await page.context().close();
      expect(complaints).toEqual([]);
    }
  });

  return {
    async open(hash = '', options = {}, url = inject('pageUrl')) {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 800 },
        reducedMotion: 'reduce',
        ...options,
      });
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error.stack ?? error)));
      page.on('request', (request) => {
        const isOwn = url.startsWith('http') && request.url().startsWith(url);
        if (!isOwn && !/^(file|data|blob):/.test(request.url())) complaints.push(`fetched ${request.url()}`);
      });
      opened.push({ page, complaints });
      await page.goto(`${url}${hash}`);
      await page.waitForSelector('html[data-ready]');
      return page;
    },
  };
}
