import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { main } from '../../src/cli.ts';
import { ROOT } from '../support/spec.ts';
import { useBrowser } from './browser.ts';

const { open } = useBrowser();
const stop = new AbortController();
let url = '';
let ended: Promise<number>;

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    ended = main(['serve', '--port', '0'], {
      out: (line) => {
        url = /http:\S+/.exec(line)?.[0] ?? '';
        resolve();
      },
      err: (line) => {
        throw new Error(line);
      },
      isTerminal: false,
      columns: 100,
      env: process.env,
      signal: stop.signal,
    });
  });
});
afterAll(async () => {
  stop.abort();
  expect(await ended).toBe(0);
});

/** As a client that can say what it likes of itself. */
function ask(path: string, options: { method?: string; headers?: Record<string, string>; body?: string } = {}) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const asked = request(
      new URL(path, url),
      { method: options.method ?? 'GET', headers: options.headers },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      },
    );
    asked.on('error', reject);
    asked.end(options.body);
  });
}

describe('the page, served', () => {
  test('replays what is opened', async () => {
    const page = await open('', {}, url);
    expect(await page.getByLabel('Replayed').textContent()).toBe(
      '✓ memory 12 steps, all equal up to the last state, 12.',
    );
  });

  test('says where a trace is no behaviour of the implementation', async () => {
    const trace = readFileSync(join(ROOT, 'traces/fast-restart-told.itf.json'), 'utf8');
    const wrong = trace.replaceAll('"Profile": "Kafka_0_10_2"', '"Profile": "Kip101"');
    const { status, text } = await ask('/replay', { method: 'POST', body: wrong });
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual([
      {
        system: 'memory',
        good: false,
        text: expect.stringContaining('After step 0, Init, it shows something else: epochCache'),
      },
    ]);
    const none = await ask('/replay', { method: 'POST', body: 'no trace' });
    expect(JSON.parse(none.text)[0].text).toContain('line 1, column 1');
  });

  test('answers nobody but this machine and the page itself', async () => {
    expect((await ask('/', { headers: { host: 'evil.example' } })).status).toBe(403);
    expect((await ask('/replay', { method: 'POST', headers: { origin: 'http://evil.example' } })).status).toBe(403);
    expect((await ask('/../package.json')).status).toBe(404);
  });
});
