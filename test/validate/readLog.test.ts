import { describe, expect, test } from 'vitest';
import { LogError, readLog } from '../../src/validate/index.ts';
import { HEADER, logOf } from './logs.ts';

const event = { by: 'A', action: 'Write', args: ['A', 'all'], id: 7, state: { logEndOffset: 1 } };

function problemOf(text: string): string {
  try {
    readLog(text, 'run.ndjson');
  } catch (error) {
    if (error instanceof LogError) return error.message;
    throw error;
  }
  return 'none';
}

describe('a log', () => {
  test('is read line by line; what is unknown beside the known fields is left alone', () => {
    const { events, header } = readLog(logOf({ ...event, t: 12.5, thread: 'main' }), 'run.ndjson');
    expect(header.config).toMatchObject({ replicas: ['A', 'B'], lazyCheckpoint: true, oldNews: true, minIsr: 1 });
    expect(events).toEqual([{ ...event, line: 2 }]);
  });

  test('may have empty lines, and lines that end as on Windows', () => {
    const { events } = readLog(`${JSON.stringify(HEADER)}\r\n\r\n${JSON.stringify(event)}\r\n`, 'run.ndjson');
    expect(events.map(({ line }) => line)).toEqual([3]);
  });

  test.each([
    ['', 'run.ndjson is empty: expected a line that describes the cluster, and events.'],
    [logOf(), 'run.ndjson has no events: nothing was logged, so nothing can be said of it.'],
    [
      `${logOf(event)}{"by":"A","act`,
      'run.ndjson, line 3: the last line is cut off ("{"by":"A","act"). Remove it, or log on.',
    ],
    [logOf({ ...event, action: 'Wirte' }), /^run\.ndjson, line 2, action: /],
    [logOf({ ...event, state: { hihgWatermark: 1 } }), /^run\.ndjson, line 2, state: .*hihgWatermark/],
    [logOf({ ...event, state: { hw: '1' } }), /^run\.ndjson, line 2, state\.hw: .*expected number/],
    [
      logOf(event).replace('"logEndOffset":1', '"logEndOffset":0,"logEndOffset":1'),
      'run.ndjson, line 2, column 80, state: expected each key once. One of the two values would be lost.',
    ],
    [logOf({ ...event, args: ['A'] }), 'run.ndjson, line 2, args: Write takes 2 (replica, acks), not 1.'],
    [logOf({ ...event, args: ['D', 'all'] }), 'run.ndjson, line 2, args.0: expected a replica, found "D".'],
    [logOf({ ...event, args: ['A', 2] }), 'run.ndjson, line 2, args.1: expected "1" or "all", found 2.'],
    [logOf({ ...event, by: '' }), /^run\.ndjson, line 2, by: Too small/],
    [
      logOf({ ...event, by: 'контроллер' }),
      'run.ndjson, line 2, by: a name has ASCII letters, digits and signs, no " and no \\: TLC reads no others.',
    ],
    [
      logOf({ ...event, by: 'world' }),
      'run.ndjson, line 2, state.logEndOffset: world is no replica, so say whose state it is in "of".',
    ],
  ])('that is wrong is told so, with its line: %#', (text, problem) => {
    const found = problemOf(text);
    if (typeof problem === 'string') expect(found).toBe(problem);
    else expect(found).toMatch(problem);
  });

  test('that is no JSON is told so with the column', () => {
    expect(problemOf(`${JSON.stringify(HEADER)}\n{"by" "A"}\n`)).toMatch(
      /^run\.ndjson, line 2, column \d+: expected one JSON object a line\./,
    );
  });
});
