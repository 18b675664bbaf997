import { beforeAll, describe, expect, test } from 'vitest';
import { actorsOf } from '../../explorer/model/actors.ts';
import type { Library } from '../../explorer/model/data.ts';
import { describeWorld } from '../../explorer/model/describe.ts';
import { goalOf } from '../../explorer/model/goal.ts';
import { actorOf, labelOf, nextText } from '../../explorer/model/labels.ts';
import { profileTitle, words } from '../../explorer/model/names.ts';
import { parseRoute } from '../../explorer/model/route.ts';
import { sequenceOf } from '../../explorer/model/sequence.ts';
import type { Session } from '../../explorer/model/session.ts';
import { sessionOf } from '../../explorer/model/tried.ts';
import { actions } from '../../src/replica/index.ts';
import { openLibrary } from './library.ts';

let library: Library;
beforeAll(async () => {
  library = await openLibrary();
});

function tried(hash: string): Session {
  const { session, problem } = sessionOf(library, parseRoute(hash)!.tried!);
  expect(problem).toBeNull();
  return session!;
}

/** What can happen now, in words, by who does it. */
function choices(session: Session): Record<string, string[]> {
  const actors = actorsOf(session, session.choices());
  const label = (step: Parameters<typeof labelOf>[0]) => labelOf(step, session.opened, session.opened.last);
  return Object.fromEntries(actors.map(({ name, steps }) => [name, steps.map(label)]));
}

describe('steps in words', () => {
  test('every action of the implementation has some of its own', () => {
    const { opened } = tried('#try?rule=Kip320&replicas=A.B&do=Write.A.all');
    for (const action of Object.keys(actions)) {
      const label = labelOf({ action, args: ['A', 'B'] }, opened, 1);
      expect(label, action).not.toBe(`${words(action).toLowerCase()} B`);
    }
  });

  test('an ISR is taken up to 3.x’s profiles, and asked for where a profile looks at that', () => {
    expect(choices(tried('#try?rule=Kip320&replicas=A.B')).A).toContain('takes B out of the ISR');
    const asks = tried('#try?rule=AsksForIsr&replicas=A.B');
    expect(choices(asks).A).toContain('asks for an ISR without B');
    const asked = asks.take({ action: 'ShrinkIsr', args: ['A', 'B'] })!;
    expect(choices(asked).Controller).toContain('answers A, which asks for another ISR');
    expect(describeWorld(asked.opened.world(1))).toContain('has asked for ISR A (no answer yet)');
    const answered = asked.take({ action: 'AlterPartition', args: ['A'] })!;
    expect(choices(answered).A).toContain('hears what became of the ISR it asked for');
    const heard = answered.take({ action: 'HandleAlterPartitionResponse', args: ['A'] })!;
    expect(sequenceOf(heard.opened).notes.map(({ lane, label }) => `${lane}: ${label}`)).toEqual([
      'A: asks: ISR without B',
      'controller: ISR A',
      'A: knows ISR A',
    ]);
  });

  test('an epoch file that is written later is written by a step', () => {
    const opened = library.open('epoch-file-later')!;
    expect(nextText({ action: 'FlushEpochFile', args: ['B'] }, opened, 1)).toBe('B writes its epoch file.');
    expect(actorOf({ action: 'FlushEpochFile', args: ['B'] })).toBe('B');
    expect(actorOf({ action: 'AlterPartition', args: ['A'] })).toBeNull();
  });

  test('who leaves an ISR that is too small stays eligible, in a cluster of 4.4', () => {
    const session = tried('#try?rule=Kafka_4_4&replicas=A.B&minIsr=2&with=EligibleLeaders&do=ShrinkIsr.A.B');
    expect(describeWorld(session.opened.world(1))).toContain('in sync A, eligible B.');
  });

  test('in no recorded trace a step is told by the name of its action alone', () => {
    for (const name of library.names) {
      const opened = library.open(name)!;
      const labels = sequenceOf(opened).notes.map(({ label }) => label);
      expect(
        labels.filter((label) => label in actions),
        name,
      ).toEqual([]);
    }
  });
});

describe('what it comes to', () => {
  test('is told for every recorded trace before it begins', () => {
    for (const name of library.names)
      expect(goalOf(library.open(name)!), name).toMatch(/\. In (\d+ steps|one step), .+\.$/);
  });

  test.each([
    ['fast-restart-told', 'Kafka 0.10.2. In 12 steps, a committed record is lost.'],
    ['truncation-never-ends', 'The rule “keeps empty epochs”. In 12 steps, a follower asks for ever.'],
    [
      'upgrade-half-raised',
      'A runs Kafka 2.0.1, B runs Kafka 2.0.1 speaking as 1.1. In 10 steps, two logs differ, and stay so.',
    ],
  ])('of %s', (name, text) => {
    expect(goalOf(library.open(name)!)).toContain(text);
  });

  test.each([
    ['Kafka_2_0_1_as_1_1', 'Kafka 2.0.1 speaking as 1.1'],
    ['Kip101', 'KIP-101'],
    ['CountsProposedIsr', 'Counts proposed ISR'],
    ['HwBelowMinIsr', 'HW below min ISR'],
  ])('%s is called %s', (profile, title) => {
    expect(profileTitle(profile)).toBe(title);
  });
});
