import { beforeAll, describe, expect, test } from 'vitest';
import type { Library } from '../../explorer/model/data.ts';
import { MISCONCEPTIONS } from '../../explorer/model/predict/misconceptions.ts';
import { ruleOf } from '../../explorer/model/predict/rule.ts';
import { stopsOf } from '../../explorer/model/predict/stops.ts';
import { openLibrary } from './library.ts';

let library: Library;
beforeAll(async () => {
  library = await openLibrary();
});

describe('questions', () => {
  test('every claim has some, each with one right answer and a wrong one', () => {
    for (const claim of library.data.claims) {
      const stops = stopsOf(library, claim);
      expect(stops.length, claim.claim).toBeGreaterThan(0);
      for (const { question, options, outcome, index, opened } of stops) {
        const what = `${claim.claim}: ${question}`;
        expect(
          options.filter(({ right }) => right),
          what,
        ).toHaveLength(1);
        expect(options.length, what).toBeGreaterThan(1);
        expect(new Set(options.map(({ text }) => text)).size, what).toBe(options.length);
        expect(outcome, what).not.toBe('');
        expect(index, what).toBeLessThanOrEqual(opened.last);
      }
    }
  });

  test('every recorded trace is stopped before a step that decides', () => {
    for (const name of library.names) {
      const opened = library.open(name)!;
      const before = stopsOf(library, library.claim(name)!).filter(
        ({ kind }) => !['verdict', 'min-isr', 'other-rule'].includes(kind),
      );
      expect(before.length, name).toBeGreaterThan(0);
      for (const { index, outcome } of before) {
        expect(index, name).toBeGreaterThan(0);
        expect(outcome.startsWith(opened.sentence(index)), `${name} ${index}`).toBe(true);
      }
    }
  });

  test.each([
    [
      'phantom-at-log-end',
      'B takes A out of the ISR. Say that consumers read up to the leader’s log end and not to its high watermark, for epochs tell what is cut. Would they have read nothing but what stays?',
      'No',
    ],
    [
      'epochs-in-memory',
      'B starts again. Its epoch cache was: e1 from 0. Its log ends at 1. What will the cache be when it is back?',
      'empty',
    ],
    [
      'counts-proposed-isr',
      'A asks the controller for an ISR without B. It has records that only B lacks. Does its high watermark wait for the answer?',
      'No, the smaller one counts at once',
    ],
    [
      'join-at-high-watermark',
      'C has fetched up to offset 0, and the high watermark of its leader B is 0: it joins the ISR. Does it have all that is committed?',
      'No',
    ],
    [
      'same-leader',
      'B follows A in e1, and hears that A leads on, in e3. Does it ask again where to cut its log?',
      'No, its leader is the same',
    ],
    [
      'truncation-never-ends',
      "B answers A's question where to cut. From here on it all comes again from step 10. Will the follower ever get through its truncation?",
      'No',
    ],
    [
      'consumer-unaware',
      'B is elected uncleanly: it is alive, and was not in the ISR. Does it have m1, which is committed?',
      'No',
    ],
  ])('of %s ask what decides it', (claim, question, right) => {
    const stops = stopsOf(library, library.claim(claim)!);
    const stop = stops.find((one) => one.question === question);
    expect(stop?.options.find((option) => option.right)?.text, stops.map((one) => one.question).join('\n')).toBe(right);
  });

  test('a loss of power is not told as an error of the protocol', () => {
    const beliefs = stopsOf(library, library.claim('hard-failures-told')!).map(({ misconception }) => misconception);
    expect(beliefs).toContain('on-disk');
    expect(beliefs).not.toContain('unclean');
  });

  test('every misconception is asked about, by the claim that it names', () => {
    const asked = MISCONCEPTIONS.map(({ id, claim }) => {
      const known = library.claim(claim);
      return { id, asked: known !== null && stopsOf(library, known).some((stop) => stop.misconception === id) };
    });
    expect(asked.filter((one) => !one.asked)).toEqual([]);
  });

  test('no question shows a misconception that is not listed', () => {
    const known = new Set(MISCONCEPTIONS.map(({ id }) => id));
    const stops = library.data.claims.flatMap((claim) => stopsOf(library, claim));
    expect(stops.flatMap(({ misconception }) => misconception ?? []).filter((id) => !known.has(id))).toEqual([]);
  });

  test('each rule is one that the implementation explains', () => {
    const stops = library.data.claims.flatMap((claim) => stopsOf(library, claim));
    for (const rule of new Set(stops.flatMap((stop) => stop.rule ?? []))) {
      expect(ruleOf(rule, library.data.sources)?.text, rule).toMatch(/\w{4,}.*[.]\)?$/);
    }
  });

  test('of the data loss ask what decides it', () => {
    const told = stopsOf(library, library.claim('fast-restart-told')!).map(({ index, question, options }) => ({
      index,
      question,
      right: options.find(({ right }) => right)?.text,
    }));
    expect(told).toEqual([
      {
        index: 6,
        question: 'B fetches from 1, and that moves A’s high watermark from 0 to 1. Which one does the reply carry?',
        right: '0, the old one',
      },
      {
        index: 8,
        question:
          'B starts again. Its log has 1 record, the checkpoint on disk says 0. Which high watermark will it have?',
        right: '0',
      },
      {
        index: 9,
        question: 'B hears that A leads. To which offset will it cut its log?',
        right: '0: its own high watermark',
      },
      {
        index: 12,
        question: 'B is elected: it is alive and in the ISR. Does it have m1, which is committed?',
        right: 'No',
      },
      { index: 12, question: 'Would min.insync.replicas=2 have saved the record?', right: 'No' },
      {
        index: 12,
        question: 'The same faults, writes and elections under KIP-101: does it end well?',
        right: 'Yes, everything acknowledged is there',
      },
    ]);
  });
});

test('a rule is told with its source', () => {
  expect(ruleOf('becomeFollower', library.data.sources)).toEqual({
    file: 'follower.ts',
    text: 'A replica hears that another one leads. If that makes it a new follower, its fetcher starts anew, with truncation first; else it goes on as it was.',
    source: 'Partition.makeFollower, ReplicaManager.makeFollowers.',
  });
});
