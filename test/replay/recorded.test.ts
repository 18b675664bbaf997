import { describe, expect, test } from 'vitest';
import { accept, loadClaims, specHash } from '../../src/claims/index.ts';
import { mend } from '../../src/replay/index.ts';
import { describeWithTlc, inTurn, PATIENCE_MS, quickJava } from '../support/tlc.ts';
import { listedClaim, recorded, recordedNames, withSwapped, withValue } from '../support/traces.ts';

const env = quickJava;

/** TLC takes a second or two for each: those of the main job here, all of them in `npm run test:claims`. */
const asked = recordedNames.filter((name) => process.env.LEADER_EPOCH_ALL === '1' || listedClaim(name).set === 'main');
const isLiveness = (property: string): boolean => property.endsWith('Prop');

test.each(recordedNames)('the recorded trace %s is of the specification as it is', (name) => {
  const { meta } = recorded(name);
  const claim = loadClaims().find((one) => one.claim === name);
  expect(meta).toMatchObject({ claim: name, model: claim?.model, profile: claim?.profile, tlc: expect.any(String) });
  expect(meta.spec, `${name} was recorded from another specification: run \`leader-epoch record ${name}\``).toBe(
    claim && specHash(claim),
  );
});

describeWithTlc('TLC', () => {
  describe.concurrent('finds the recorded trace', () => {
    test.each(asked.filter((name) => listedClaim(name).property.some(isLiveness)))(
      '%s to be a behaviour that goes round',
      async (name) => {
        const trace = recorded(name);
        expect(trace.loop).toBeLessThan(trace.states.length);
        expect(await inTurn(() => accept(trace, { env }))).toEqual({ kind: 'accepted' });
      },
      PATIENCE_MS,
    );

    test.each(asked.filter((name) => !listedClaim(name).property.some(isLiveness)))(
      '%s to be a behaviour that breaks its property in the last state',
      async (name) => {
        const trace = recorded(name);
        const invariants = [...listedClaim(name).property];
        expect(await inTurn(() => accept(trace, { invariants, env }))).toEqual({
          kind: 'violates',
          invariant: invariants[0],
          index: trace.states.length - 1,
          isLast: true,
        });
      },
      PATIENCE_MS,
    );
  });

  describe.concurrent('accepts the schedule', () => {
    test.each(asked.filter((name) => listedClaim(name).mendedBy))(
      '%s under the rule that mends it',
      async (name) => {
        const { mendedBy = '', property } = listedClaim(name);
        const { trace } = mend(recorded(name), mendedBy);
        const invariants = ['TypeOk', ...property.filter((one) => !isLiveness(one))];
        expect(await inTurn(() => accept(trace, { invariants, env }))).toEqual({ kind: 'accepted' });
      },
      PATIENCE_MS,
    );
  });

  test(
    'tells a property that breaks before the end',
    async () => {
      // Under its own rule the run goes on after the loss, in vain.
      const { trace } = mend(recorded('fast-restart-told'), 'Kafka_0_10_2');
      expect(trace.states).toHaveLength(18);
      expect(await accept(trace, { invariants: ['CommittedSurvives'], env })).toEqual({
        kind: 'violates',
        invariant: 'CommittedSurvives',
        index: 12,
        isLast: false,
      });
    },
    PATIENCE_MS,
  );

  describe.concurrent('does not take for a behaviour', () => {
    const told = recorded('fast-restart-told');

    test(
      'a trace with another value in a middle state',
      async () => {
        const tampered = withValue(told, 6, 'hw', '[A |-> 0, B |-> 0]');
        expect(await inTurn(() => accept(tampered, { env }))).toEqual({
          kind: 'rejected',
          matched: 5,
          next: '<<"HandleFetch", "A", "B">>',
        });
      },
      PATIENCE_MS,
    );

    test(
      'a trace with another value at the beginning',
      async () => {
        const tampered = withValue(told, 0, 'hw', '[A |-> 1, B |-> 0]');
        expect(await inTurn(() => accept(tampered, { env }))).toMatchObject({ kind: 'rejected', matched: 0 });
      },
      PATIENCE_MS,
    );

    test(
      'a trace whose steps have changed places',
      async () => {
        const swapped = withSwapped(told, 7, 10);
        expect(await inTurn(() => accept(swapped, { env }))).toEqual({
          kind: 'rejected',
          matched: 6,
          next: '<<"Crash", "A">>',
        });
      },
      PATIENCE_MS,
    );

    test(
      'a trace of another profile',
      async () => {
        const constants = new Map([
          ...(told.constants ?? []),
          ['Profile', { kind: 'string', value: 'Kip101' }] as const,
        ]);
        expect(await inTurn(() => accept({ ...told, constants }, { env }))).toMatchObject({
          kind: 'rejected',
          matched: 0,
        });
      },
      PATIENCE_MS,
    );
  });

  test(
    'takes a state that is repeated without a step for standing still',
    async () => {
      const told = recorded('fast-restart-told');
      const doubled = {
        ...told,
        states: told.states.toSpliced(3, 0, told.states[2] as never),
        actions: told.actions.toSpliced(3, 0, null),
      };
      expect(await accept(doubled, { env })).toEqual({ kind: 'accepted' });
    },
    PATIENCE_MS,
  );

  test(
    'that cannot read the trace gives no verdict',
    async () => {
      const told = recorded('fast-restart-told');
      const unknown = {
        ...told,
        vars: [...told.vars, 'nobody'],
        states: told.states.map((state) => new Map([...state, ['nobody', { kind: 'int', value: 1n }] as const])),
      };
      expect(await accept(unknown, { env })).toMatchObject({
        kind: 'couldNotTell',
        reason: expect.stringMatching(/^The specification has errors \(Recorded\.tla, line \d+, column \d+\): /),
      });
    },
    PATIENCE_MS,
  );
});
