import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MODES, parseRoute, printRoute, type Route } from '../../explorer/model/route.ts';

describe('a place in the page as a URL', () => {
  test('says the trace and the step', () => {
    expect(printRoute({ mode: 'watch', name: 'fast-restart-told', step: 6 })).toBe('#watch/fast-restart-told/6');
    expect(parseRoute('#watch/fast-restart-told/6')).toEqual({ mode: 'watch', name: 'fast-restart-told', step: 6 });
  });

  test('says all that was tried', () => {
    const route: Route = {
      mode: 'try',
      tried: {
        rule: 'Kafka_0_10_2',
        replicas: ['A', 'B'],
        minIsr: 2,
        switches: ['LazyCheckpoint'],
        steps: [
          { action: 'Write', args: ['A', '1'] },
          { action: 'PowerLoss', args: ['B', 0] },
          { action: 'PartitionOffline', args: [] },
        ],
        from: 'fast-restart-told',
        versus: 'Kip101',
      },
    };
    const hash = printRoute(route);
    expect(hash).toBe(
      '#try?rule=Kafka_0_10_2&replicas=A.B&minIsr=2&with=LazyCheckpoint&from=fast-restart-told&versus=Kip101&do=Write.A.1~PowerLoss.B.0~PartitionOffline',
    );
    expect(parseRoute(hash)).toEqual(route);
  });

  test.each(['', '#', '#nowhere', '#watch?%', '#%E0%A4%A', '#/watch'])('%s is nowhere', (hash) => {
    expect(parseRoute(hash)).toBeNull();
  });

  test('is read without complaint, whatever somebody made of it', () => {
    expect(parseRoute('#try?rule=&replicas=')).toEqual({ mode: 'try' });
    expect(parseRoute('#watch/a/-1')).toEqual({ mode: 'watch', name: 'a' });
    expect(parseRoute('#try?rule=X&replicas=A&minIsr=many&do=~~')).toMatchObject({ tried: { minIsr: 1, steps: [] } });
  });

  test('is the same when it is printed and read', () => {
    const word = fc.stringMatching(/^[A-Z][A-Za-z0-9_]{0,11}$/);
    const args = fc.array(fc.oneof(word, fc.nat(9_999)), { maxLength: 3 });
    const steps = fc.array(fc.record({ action: word.filter((one) => one !== 'Write'), args }), { maxLength: 6 });
    const tried = fc.record({
      rule: word,
      replicas: fc.uniqueArray(word, { minLength: 1, maxLength: 3 }),
      minIsr: fc.integer({ min: 1, max: 3 }),
      switches: fc.uniqueArray(word, { maxLength: 2 }),
      steps,
      from: fc.option(word, { nil: undefined }),
      versus: fc.option(word, { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.constantFrom(...MODES), tried, (mode, what) => {
        expect(parseRoute(printRoute({ mode, tried: what }))).toEqual({ mode, tried: what });
      }),
    );
  });
});
