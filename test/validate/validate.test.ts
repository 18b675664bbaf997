import { expect, test } from 'vitest';
import { readLog, type Validation, validate } from '../../src/validate/index.ts';
import { describeWithTlc, inTurn, PATIENCE_MS, quickJava } from '../support/tlc.ts';
import { HEADER, logOf, simulatedLog } from './logs.ts';

const settle = (text: string, slack = 5): Promise<Validation> =>
  inTurn(() => validate(readLog(text, 'run.ndjson'), { slack, env: quickJava }));

/** A writes a record, and B fetches it. */
const WRITE = { by: 'A', action: 'Write', args: ['A', 'all'], id: 'first', state: { logEndOffset: 1, hw: 0 } };
const SEND = { by: 'B', action: 'SendFetch', args: ['B'], sent: { offset: 0 } };
const HANDLE = { by: 'A', action: 'HandleFetch', args: ['A', 'B'], state: { hw: 0 } };
const TAKE = { by: 'B', action: 'HandleFetchResponse', args: ['B'] };
const TAKEN = { log: [{ id: 'first', epoch: 1 }], hw: 0 };

describeWithTlc('TLC', () => {
  test(
    'accepts what the brokers of a simulated run log, faults and all',
    async () => {
      const lines = simulatedLog(2, 90);
      expect(lines.length).toBeGreaterThan(90);
      expect(await settle(`${lines.join('\n')}\n`)).toMatchObject({ kind: 'conforms', events: lines.length - 1 });
    },
    PATIENCE_MS,
  );

  test(
    'rejects it where one value is another, at that line',
    async () => {
      const lines = simulatedLog(1, 60);
      const at = lines.findIndex((line, index) => index > 30 && line.includes('"action":"HandleFetchResponse"'));
      const event = JSON.parse(lines[at]!);
      const { hw } = event.state;
      lines[at] = JSON.stringify({ ...event, state: { ...event.state, hw: hw + 3 } });
      const result = await settle(`${lines.join('\n')}\n`);
      if (result.kind !== 'differs') throw new Error(result.kind);
      expect(result.matched).toBeGreaterThanOrEqual(at - 1);
      expect(result.blocked[0]?.event.line).toBe(at + 1);
      expect(result.blocked[0]?.nearest).toMatchObject({
        kind: 'differs',
        differences: [{ what: `hw of ${event.by}`, specification: hw, log: hw + 3 }],
      });
    },
    PATIENCE_MS,
  );

  test(
    'does not take a part of the log for the whole: three of five events',
    async () => {
      const result = await settle(
        logOf(WRITE, SEND, HANDLE, { ...TAKE, state: { ...TAKEN, hw: 1 } }, { ...SEND, sent: { offset: 1 } }),
      );
      if (result.kind !== 'differs') throw new Error(result.kind);
      expect(result).toMatchObject({ matched: 3, events: 5 });
      expect([...result.lastLines]).toEqual([
        ['A', 4],
        ['B', 3],
      ]);
      expect(result.blocked).toEqual([
        {
          event: expect.objectContaining({ line: 5 }),
          nearest: {
            kind: 'differs',
            step: { action: 'HandleFetchResponse', args: ['B'] },
            differences: [{ what: 'hw of B', specification: 0, log: 1 }],
          },
        },
      ]);
      expect(result.places).toHaveLength(1);
      expect(result.places[0]?.shown).toMatchObject({ log: { A: [{ id: 'first', epoch: 1 }], B: [] } });
    },
    PATIENCE_MS,
  );

  test(
    'goes by causes where clocks differ, fills in what is not said, and loses messages that may be lost',
    async () => {
      const header = { ...HEADER, hidden: ['LoseMessage'] };
      const events = [
        { ...HANDLE, args: ['A', null] },
        { by: 'B', sent: { type: 'FetchRequest' } },
        WRITE,
        { by: 'B', action: ['HandleFetchResponse', 'LoseMessage'], state: { logEndOffset: 0 } },
        // The reply to this one never comes.
        SEND,
        SEND,
        HANDLE,
        { ...TAKE, state: TAKEN, received: { records: TAKEN.log } },
      ];
      const text = [header, ...events].map((line) => `${JSON.stringify(line)}\n`).join('');
      expect(await settle(text)).toMatchObject({ kind: 'conforms', events: 8 });
    },
    PATIENCE_MS,
  );

  test(
    'without slack takes the lines in their order, and tells the guard that fails',
    async () => {
      const result = await settle(logOf(HANDLE, SEND), 0);
      expect(result).toMatchObject({
        kind: 'differs',
        matched: 0,
        blocked: [
          {
            event: { line: 2 },
            nearest: { kind: 'refused', step: { action: 'HandleFetch', args: ['A', 'B'] }, reason: expect.any(String) },
          },
          { event: { line: 3 }, nearest: { kind: 'differs', differences: [] } },
        ],
      });
    },
    PATIENCE_MS,
  );
});
