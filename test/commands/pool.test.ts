import { expect, test } from 'vitest';
import { inPool } from '../../src/commands/pool.ts';

test('where one fails, the others are stopped and waited for, and no more are begun', async () => {
  const log: string[] = [];
  const stopped = (signal: AbortSignal) =>
    new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  const work = async (item: string, signal: AbortSignal): Promise<void> => {
    log.push(`${item} begins`);
    if (item === 'bad') throw new Error('it has died');
    await stopped(signal);
    await new Promise((resolve) => setImmediate(resolve));
    log.push(`${item} has ended`);
  };
  const pool = inPool(['good', 'bad', 'later'], 2, new AbortController().signal, work);
  await expect(pool).rejects.toThrow('it has died');
  expect(log).toEqual(['good begins', 'bad begins', 'good has ended']);
});

test('results come in the order of the items', async () => {
  const after = async (turns: number) => {
    for (let turn = 0; turn < turns; turn++) await null;
    return turns;
  };
  expect(await inPool([9, 1, 5], 3, new AbortController().signal, after)).toEqual([9, 1, 5]);
});
