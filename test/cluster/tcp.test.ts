import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { tcpSystem } from '../../src/cluster/driven/system.ts';
import { replay } from '../../src/replay/index.ts';
import type { System, SystemConfig } from '../../src/systems/system.ts';
import { recorded, recordedNames } from '../support/traces.ts';
import { walk } from '../support/walk.ts';

/** Processes are started and killed; the machine may be busy. */
const PATIENCE_MS = 120_000;

let system: System;
beforeAll(async () => {
  system = await tcpSystem();
});
afterAll(() => system.close());

/** What Kafka's messages do not carry, or connections do not do. */
const NOT_ON_THE_WIRE: Readonly<Record<string, string>> = {
  'delayed-high-watermark-lazy': "no version of Fetch carries a follower's high watermark",
  'delayed-high-watermark-power': "no version of Fetch carries a follower's high watermark",
  'delayed-high-watermark-three': "no version of Fetch carries a follower's high watermark",
  'delayed-high-watermark-twice': "no version of Fetch carries a follower's high watermark",
  'late-records': 'a connection that is closed loses what is under way: no reply comes later',
  'late-records-cache': 'a connection that is closed loses what is under way: no reply comes later',
  'stale-answer': 'a connection that is closed loses what is under way: no reply comes later',
};

/** All of them with LEADER_EPOCH_TCP. */
const ALWAYS = ['fast-restart-told', 'hard-failures-told', 'counts-diverging'];
const possible = recordedNames.filter((name) => !(name in NOT_ON_THE_WIRE));
const chosen = process.env.LEADER_EPOCH_TCP ? possible : ALWAYS;

describe('processes with real sockets between them', () => {
  test.each(chosen)(
    'go the way of the recorded trace %s',
    async (name) => {
      const trace = recorded(name);
      const goesRound = trace.loop !== undefined && trace.loop < trace.states.length - 1;
      const lastIndex = trace.states.length - (goesRound ? 0 : 1);
      expect(await replay(trace, system)).toMatchObject({ kind: 'conforms', lastIndex, notObservable: [] });
    },
    PATIENCE_MS,
  );

  const walks = [
    { profile: 'Kip320', seed: 21, replicas: ['A', 'B', 'C'], options: { oldNews: true } },
    { profile: 'Kafka_0_10_2', seed: 22, replicas: ['A', 'B', 'C'], options: { lazyCheckpoint: true } },
    { profile: 'Kafka_4_4', seed: 23, replicas: ['A', 'B', 'C'], options: { minIsr: 2 } },
    { profile: 'Kafka_1_1_1', seed: 24, options: {} },
    { profile: 'AsksForIsr', seed: 25, replicas: ['A', 'B', 'C'], options: { minIsr: 2 } },
  ];
  test.skipIf(!process.env.LEADER_EPOCH_TCP).each(walks)(
    'go the way of a random walk, $profile',
    async (options) => {
      const trace = walk({ ...options, steps: 300 });
      expect(await replay(trace, system)).toMatchObject({ kind: 'conforms', steps: trace.states.length - 1 });
    },
    PATIENCE_MS,
  );

  test.each(Object.entries(NOT_ON_THE_WIRE).slice(-1))(
    'cannot go the way of %s, and say why',
    async (name, reason) => {
      expect(await replay(recorded(name), system)).toMatchObject({ kind: 'refused', reason });
    },
    PATIENCE_MS,
  );
});

describe('a step that the protocol does not allow', () => {
  const config: SystemConfig = {
    ...{ replicas: ['A', 'B'], firstLeader: 'A', profileOf: { A: 'Kip320', B: 'Kip320' } },
    ...{ minIsr: 2, lazyCheckpoint: false, resumeSameEpoch: false, oldNews: false },
  };

  it(
    'is refused, with the reason, and changes nothing',
    async () => {
      await system.reset(config);
      const before = await system.observe();
      const reasonOf = async (action: string, ...args: (string | number)[]) => {
        const outcome = await system.step({ action, args, id: 1 });
        return outcome.kind === 'refused' ? outcome.reason : 'none';
      };
      expect(await reasonOf('Write', 'B', '1')).toBe('B is follower, not a leader');
      expect(await reasonOf('HandleFetch', 'A', 'B')).toBe('B has no FetchRequest under way');
      expect(await reasonOf('ExpandIsr', 'A', 'B')).toBe('A is not handling a fetch of B');
      expect(await reasonOf('BecomeLeader', 'B', 7)).toBe('there is no news of epoch 7');
      expect(await reasonOf('Restart', 'B')).toBe('B is not down');
      expect(await reasonOf('Flush', 'A')).toBe('A has flushed its whole log');
      expect(await reasonOf('Explode', 'A')).toBe('there is no action Explode');
      expect(await system.observe()).toEqual(before);
    },
    PATIENCE_MS,
  );
});
