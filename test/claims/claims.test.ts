import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { ClaimsError, loadClaims, pickClaims } from '../../src/claims/index.ts';
import { ownFolder, ROOT, SPEC } from '../support/spec.ts';

interface Listed {
  readonly claim: string;
  readonly model: string;
  readonly profile: string;
  readonly property: readonly string[];
  readonly verdict: 'violated' | 'holds';
  readonly counts: { readonly states?: number; readonly depth?: number; readonly length?: number };
  readonly mendedBy?: string;
  readonly bug?: string;
  readonly mendedIn?: readonly string[];
}

/** Read here once more, without the program that is tested. */
const { claims: listed } = JSON.parse(readFileSync(join(SPEC, 'claims.json'), 'utf8')) as { claims: Listed[] };
const models = readdirSync(join(SPEC, 'models'));

function model(name: string): string {
  return readFileSync(join(SPEC, 'models', name), 'utf8');
}

/** Their models follow one schedule. */
const told = listed.filter(({ model: name }) => model(`${name}.cfg`).includes('    Told <- ToldHere\n'));

/** ... and what mends them, if anything does. */
const NOT_MENDED_BY_A_RULE = {
  PowerLossTakesAll: 'nothing: nobody flushed',
  ResumedEpoch: 'the controller: see NoticedBounce',
  LastReplicaStanding: 'the controller: see EligibleLeaders',
  AnyBrokerEpoch: 'the controller: see CheckedBrokerEpoch',
  SkippedEpoch: 'the leader: it forgets what it knew of its followers, if it has followed',
  SkippedEpochFetch: 'the leader: it forgets what it knew of its followers, if it has followed',
  JoinAtHw: 'the leader: who does not have enough cannot join',
  DelayedHwThree: 'the leader: its high watermark has moved before the third could join',
  PhantomAtLogEnd: 'the high watermark: see NoPhantom',
  ConsumerUnaware: 'the consumer: see ConsumerAware',
  NotRefinesUnclean: 'the controller: clean elections only',
  AckedByOne: 'acks=all',
  UnansweredStored: 'nothing: it may be either',
  UnansweredLost: 'nothing: it may be either',
};

describe.each(listed)('the claim $claim', ({ model: name, profile, property, verdict, counts, mendedBy }) => {
  test('says what its model checks: the profile and the invariants', () => {
    const config = model(`${name}.cfg`);
    expect(/^ {4}Profile = "(\w+)"$/m.exec(config)?.[1]).toBe(profile);
    const invariants = /^INVARIANTS (.+)$/m.exec(config)?.[1]?.split(' ') ?? [];
    const temporal = /^PROPERTIES (.+)$/m.exec(config)?.[1]?.split(' ') ?? [];
    expect(invariants.slice(0, 2)).toEqual(['TypeOk', 'Watched']);
    expect([...invariants.slice(2), ...temporal]).toEqual(property);
  });

  test('has a model with a comment, under its own name', () => {
    const text = model(`${name}.tla`);
    expect(/^-+ MODULE (\w+) -+$/m.exec(text)?.[1]).toBe(name);
    const comment = /^\(\*{20,}\)\n((?:\(\* .* \*\)\n)+)\(\*{20,}\)$/m.exec(text)?.[1] ?? '';
    expect(comment.replaceAll(/\(\*|\*\)|\s+/g, ' ').trim().length).toBeGreaterThan(40);
  });

  test('cannot succeed without having been put to the test', () => {
    const watch = /^ {4}Watch = \{(.*)\}$/m.exec(model(`${name}.cfg`))?.[1];
    if (verdict === 'holds') {
      expect(watch).toMatch(/"\w+"/);
      expect(counts).toEqual({ states: expect.any(Number), depth: expect.any(Number) });
      expect(mendedBy).toBeUndefined();
    } else {
      expect(property).toHaveLength(1);
      // TLC does not look for the shortest lasso.
      expect(counts).toEqual(property[0]?.endsWith('Prop') ? {} : { length: expect.any(Number) });
      if (!(name in NOT_MENDED_BY_A_RULE)) expect(mendedBy).toMatch(/^(Kip|Kafka_|AsksForIsr)\w*$/);
    }
  });
});

test.each(listed.filter(({ verdict }) => verdict === 'violated'))(
  'the counterexample of $claim is recorded, with a page',
  ({ claim }) => {
    expect(existsSync(join(ROOT, 'traces', `${claim}.itf.json`))).toBe(true);
    expect(readFileSync(join(ROOT, 'traces', `${claim}.md`), 'utf8')).toContain(`npx leader-epoch record ${claim}\n`);
  },
);

test.each(told.filter(({ verdict }) => verdict === 'holds'))(
  'the schedule of $claim must come to its end',
  ({ model: name }) => {
    expect(model(`${name}.cfg`)).toMatch(/Watch = \{.*"StoryEnds".*\}/);
  },
);

test('the told schedules are those of the proposals, and what takes TLC too long to find', () => {
  expect(told.map(({ claim }) => claim)).toEqual([
    'fast-restart-told',
    'fast-restart-kip101',
    'no-one-to-ask',
    'hard-failures-told',
    'hard-failures-kip101',
    'second-round',
    'stale-fetch',
    'join-at-high-watermark',
    'same-leader',
    'skipped-epoch',
    'skipped-epoch-inside-fetch',
    'epoch-file-later-loss',
  ]);
});

describe('a known bug', () => {
  const known = listed.filter(({ bug }) => bug !== undefined);
  const budgets = (name: string): Map<string, number> =>
    new Map([...model(`${name}.cfg`).matchAll(/^ {4}(Max\w+) = (\d+)$/gm)].map(([, of = '', n]) => [of, Number(n)]));

  test.each(known)('is mended in $mendedIn, where $claim is violated', ({ model: name, property, mendedIn = [] }) => {
    expect(mendedIn.length).toBeGreaterThan(0);
    for (const mended of mendedIn.map((one) => listed.find(({ claim }) => claim === one))) {
      expect(mended?.verdict).toBe('holds');
      // A consumer that is told is as well off as one that needs not be.
      expect(mended?.property.map((one) => one.replace(/OrIsTold$/, ''))).toContain(property[0]);
      const within = budgets(mended?.model ?? '');
      for (const [of, n] of budgets(name)) expect([of, within.get(of)]).toEqual([of, Math.max(n, within.get(of)!)]);
    }
  });

  test('has a claim for each that is to be found', () => {
    expect([...new Set(known.map(({ bug }) => bug))].sort()).toEqual([
      ...['KAFKA-10706', 'KAFKA-1120', 'KAFKA-1211', 'KAFKA-13091', 'KAFKA-13141', 'KAFKA-14139', 'KAFKA-14704'],
      ...['KAFKA-15046', 'KAFKA-18723', 'KAFKA-3919', 'KAFKA-6361', 'KAFKA-6857', 'KAFKA-7128', 'KAFKA-7164'],
      ...['KAFKA-7415', 'KAFKA-7786', 'KAFKA-7897', 'KIP-320', 'KIP-497', 'KIP-966'],
    ]);
  });
});

test('each model belongs to one claim, and each has both files', () => {
  const names = listed.map((claim) => claim.model).sort();
  expect(new Set(names).size).toBe(names.length);
  expect([...models].sort()).toEqual(names.flatMap((name) => [`${name}.cfg`, `${name}.tla`]).sort());
});

test('no recorded trace is left of a claim that is no more', () => {
  const violated = listed.filter(({ verdict }) => verdict === 'violated').map(({ claim }) => claim);
  const traces = readdirSync(join(ROOT, 'traces')).filter((name) => name.endsWith('.itf.json'));
  expect(traces.map((name) => basename(name, '.itf.json')).sort()).toEqual([...violated].sort());
});

describe('claims.json', () => {
  const folders: ReturnType<typeof ownFolder>[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) folder.remove();
  });

  function loadFrom(text: string): { file: string; load: () => unknown } {
    const folder = ownFolder();
    folders.push(folder);
    const file = join(folder.path, 'claims.json');
    writeFileSync(file, text);
    return { file, load: () => loadClaims(folder.path) };
  }

  test('that is no JSON is named', () => {
    const { file, load } = loadFrom('{ "claims": [');
    expect(load).toThrow(ClaimsError);
    expect(load).toThrow(`${file} cannot be read as JSON: `);
  });

  test('that is missing is named', () => {
    const folder = ownFolder();
    folders.push(folder);
    expect(() => loadClaims(folder.path)).toThrow(`${join(folder.path, 'claims.json')} cannot be read as JSON: ENOENT`);
  });

  test.each([
    [
      'a verdict that is none',
      (claim: Record<string, unknown>) => ({ ...claim, verdict: 'maybe' }),
      'claims.1.verdict',
    ],
    ['a count that is none', (claim) => ({ ...claim, counts: { length: 0 } }), 'claims.1.counts.length'],
    ['a name with a blank', (claim) => ({ ...claim, claim: 'fast restart' }), 'claims.1.claim'],
    ['no property', (claim) => ({ ...claim, property: [] }), 'claims.1.property'],
    ['a field that nobody knows', (claim) => ({ ...claim, mendedBuy: 'Kip101' }), 'claims.1'],
  ] as [string, (claim: Record<string, unknown>) => unknown, string][])(
    'with %s is named with the path',
    (_, spoil, path) => {
      const [first, second] = listed as unknown as Record<string, unknown>[];
      const { file, load } = loadFrom(JSON.stringify({ claims: [first, spoil(second as Record<string, unknown>)] }));
      expect(load).toThrow(ClaimsError);
      expect(load).toThrow(`${file}: at ${path}: `);
    },
  );

  test('that is a list is told so at the top', () => {
    const { file, load } = loadFrom('[]');
    expect(load).toThrow(`${file}: at the top: `);
  });

  test('of another folder is read as well', () => {
    const folder = ownFolder();
    folders.push(folder);
    cpSync(join(SPEC, 'claims.json'), join(folder.path, 'claims.json'));
    expect(loadClaims(folder.path).map(({ claim }) => claim)).toEqual(listed.map(({ claim }) => claim));
  });
});

describe('picking claims', () => {
  const claims = loadClaims();

  test('takes them in the order given, by claim or by model', () => {
    const picked = pickClaims(claims, ['second-round', 'FastRestartLoss'], () => false);
    expect(picked.map(({ claim }) => claim)).toEqual(['second-round', 'fast-restart-loss']);
  });

  test('takes what is selected when none is named', () => {
    const main = pickClaims(claims, [], ({ set }) => set === 'main').map(({ claim }) => claim);
    expect(main.slice(0, 3)).toEqual(['fast-restart-loss', 'fast-restart-told', 'fast-restart-kip101']);
    expect(main).not.toContain('kip320-clean-three');
  });

  test('names the nearest ones when there is none of that name', () => {
    expect(() => pickClaims(claims, ['leader-change'], () => true)).toThrow(
      'There is no claim "leader-change". Did you mean "fast-leader-change" or "fast-leader-change-kip279"? ' +
        '`leader-epoch claims` lists them all.',
    );
  });
});
