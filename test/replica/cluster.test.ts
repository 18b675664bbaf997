import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ActionName,
  actions,
  Cluster,
  type ClusterState,
  type Config,
  copy,
  equalStates,
  key,
  profileOfAll,
  profiles,
  type Step,
  StepRefused,
} from '../../src/replica/index.ts';
import { fetched, Story } from './story.ts';

describe('Cluster', () => {
  test('refuses a step with the reason in words, and stays as it was', () => {
    const story = new Story(profiles.kip320);
    const before = story.cluster.observe();
    const step: Step = { action: 'HandleFetch', args: ['A', 'B'] };
    expect(() => story.cluster.step(step)).toThrow(StepRefused);
    expect(() => story.cluster.step(step)).toThrow('HandleFetch(A, B) cannot happen: B has no FetchRequest under way');
    try {
      story.cluster.step(step);
    } catch (error) {
      expect(error).toMatchObject({ name: 'StepRefused', step, reason: 'B has no FetchRequest under way' });
    }
    expect(story.cluster.observe()).toEqual(before);
  });

  test('refuses what is no step at all', () => {
    const story = new Story(profiles.kip320);
    expect(story.whyNot('Crash', 'Z')).toBe('there is no replica Z');
    expect(story.whyNot('Crash')).toBe('Crash takes 1 arguments, not 0');
    expect(story.whyNot('Write', 'A', '2')).toBe('acks are "1" or "all", not 2');
    expect(story.whyNot('BecomeLeader', 'A', 'two')).toBe('two is not a number');
    expect(story.whyNot('PowerLoss', 'A', 0.5)).toBe('A keeps from 0 (flushed) to 0 records, not 0.5');
    expect(story.whyNot('Truncate' as ActionName, 'A')).toBe('there is no action Truncate');
    expect(story.whyNot('toString' as ActionName)).toBe('there is no action toString');
  });

  test('a Write brings the id of its record', () => {
    const { cluster } = new Story(profiles.kip320);
    expect(cluster.whyNot({ action: 'Write', args: ['A', '1'] })).toBeNull();
    expect(() => cluster.step({ action: 'Write', args: ['A', '1'] })).toThrow(TypeError);
    cluster.step({ action: 'Write', args: ['A', '1'], id: 42 });
    expect(cluster.observe().replicas.A!.disk.log).toEqual([{ id: 42, epoch: 1 }]);
  });

  test('what it shows is a copy, and so is what it is set to', () => {
    const { cluster } = new Story(profiles.kip320);
    const seen = cluster.observe();
    seen.replicas.A!.memory.hw = 7;
    expect(cluster.observe().replicas.A!.memory.hw).toBe(0);
    cluster.reset(seen);
    seen.replicas.A!.memory.hw = 8;
    expect(cluster.observe().replicas.A!.memory.hw).toBe(7);
    cluster.reset();
    expect(cluster.observe().replicas.A!.memory.hw).toBe(0);
  });

  test('at first all are up and empty, and only a leader of 2.0.1 or later has noted its epoch', () => {
    const { cluster } = new Story(profiles.kip320);
    expect(cluster.observe()).toEqual({
      replicas: {
        A: {
          incarnation: 0,
          disk: {
            log: [],
            flushed: 0,
            epochCache: [{ epoch: 1, start: 0 }],
            epochFile: [{ epoch: 1, start: 0 }],
            checkpoint: 0,
          },
          memory: {
            role: 'leader',
            leaderEpoch: 1,
            leader: 'A',
            hw: 0,
            fetchState: 'idle',
            isr: ['A', 'B'],
            remoteLeo: { A: -1, B: -1 },
            remoteHw: { A: -1, B: -1 },
            isrProposal: { isr: [], joining: 'none', inIncarnation: 0, answer: 'none' },
            epochStart: 0,
            pending: [],
          },
        },
        B: {
          incarnation: 0,
          disk: { log: [], flushed: 0, epochCache: [], epochFile: [], checkpoint: 0 },
          memory: {
            role: 'follower',
            leaderEpoch: 1,
            leader: 'A',
            hw: 0,
            fetchState: 'fetching',
            isr: [],
            remoteLeo: { A: -1, B: -1 },
            remoteHw: { A: -1, B: -1 },
            isrProposal: { isr: [], joining: 'none', inIncarnation: 0, answer: 'none' },
            epochStart: -1,
            pending: [],
          },
        },
      },
      controller: { epoch: 1, leader: 'A', isr: ['A', 'B'] },
      oldNews: [],
      elr: [],
      network: [],
    });
    expect(new Story(profiles.kafka_2_0_0).at('A').epochCache).toEqual([]);
  });

  test('puts the sets of a state in order', () => {
    const story = new Story(profiles.kip320, { replicas: ['C', 'B', 'A'], oldNews: true });
    story.play(['Write', 'A', 'all'], ['Write', 'A', 'all'], ['SendFetch', 'B'], ['SendFetch', 'C']);
    story.play(['Elect', 'B'], ['Elect', 'A']);
    const ordered = story.cluster.observe();
    expect(ordered.controller.isr).toEqual(['A', 'B', 'C']);

    const mixed = copy(ordered);
    mixed.network = [...ordered.network].reverse();
    mixed.oldNews = [...ordered.oldNews].reverse();
    mixed.controller = { ...ordered.controller, isr: ['C', 'A', 'B'] };
    mixed.replicas.A!.memory.isr = ['B', 'C', 'A'];
    mixed.replicas.A!.memory.pending = [1, 0];
    expect(equalStates(ordered, mixed)).toBe(false);
    story.cluster.reset(mixed);
    expect(story.cluster.observe()).toEqual(ordered);
  });

  test('and the ISR that a leader proposes', () => {
    const story = new Story(profiles.asksForIsr, { replicas: ['A', 'B', 'C'] });
    const state = story.cluster.observe();
    state.replicas.A!.memory.isrProposal = { isr: ['C', 'A', 'B'], joining: 'C', inIncarnation: 1, answer: 'none' };
    story.cluster.reset(state);
    expect(story.at('A').isrProposal).toEqual({ isr: ['A', 'B', 'C'], joining: 'C', inIncarnation: 1, answer: 'none' });
  });

  test('takes no state of other replicas, and no configuration that makes no sense', () => {
    const { cluster } = new Story(profiles.kip320);
    const three = new Story(profiles.kip320, { replicas: ['A', 'B', 'C'] }).cluster;
    expect(() => cluster.reset(three.observe())).toThrow('The state has a replica C, the configuration has not');
    expect(() => three.reset(cluster.observe())).toThrow('The state has no replica C');
    expect(() => cluster.read('C', 0)).toThrow('There is no replica C');
    expect(() => new Story(profiles.kip320, { firstLeader: 'Z' })).toThrow('Z is no replica');
    expect(() => new Story(profiles.kip320, { replicas: ['A', 'none'] })).toThrow('No replica can be called "none"');
    expect(() => new Story(profiles.kip320, { profileOf: { A: profiles.kip320 } })).toThrow('B has no profile');
  });

  test('enabled, at first', () => {
    const { cluster } = new Story(profiles.kip320);
    expect(cluster.enabled().map(({ action, args }) => [action, ...args].join(' '))).toEqual([
      'Write A 1',
      'Write A all',
      'SendFetch B',
      'ShrinkIsr A B',
      'Elect B',
      'Crash A',
      'Crash B',
      'PowerLoss A 0',
      'PowerLoss B 0',
    ]);
  });

  test('a state is plain data that JSON carries', () => {
    const story = new Story(profiles.kip320);
    story.play(['Write', 'A', 'all'], ...fetched('A', 'B'), ['SendFetch', 'B'], ['HandleFetch', 'A', 'B']);
    const state = story.cluster.observe();
    expect(JSON.parse(JSON.stringify(state))).toEqual(state);
  });
});

const FAULTS: readonly ActionName[] = ['Crash', 'PowerLoss', 'ElectUnclean', 'PartitionOffline', 'LoseMessage'];

describe('laws of every walk', () => {
  const replicas = ['A', 'B', 'C'];
  const walk = fc.record({
    profile: fc.constantFrom(...Object.values(profiles)),
    size: fc.constantFrom(2, 3),
    minIsr: fc.constantFrom(1, 2),
    lazyCheckpoint: fc.boolean(),
    resumeSameEpoch: fc.boolean(),
    oldNews: fc.boolean(),
    picks: fc.array(fc.nat(), { maxLength: 150, size: 'max' }),
  });
  type Walk = typeof walk extends fc.Arbitrary<infer T> ? T : never;

  /** Calls `at` with each state of a walk that takes one of the enabled steps at a time. */
  function wander(
    { profile, size, picks, ...rest }: Walk,
    at: (cluster: Cluster, step: Step | undefined) => void,
  ): void {
    const ids = replicas.slice(0, size);
    const config: Config = { ...rest, replicas: ids, firstLeader: 'A', profileOf: profileOfAll(profile, ids) };
    const cluster = new Cluster(config);
    at(cluster, undefined);
    picks.forEach((pick, i) => {
      const steps = cluster.enabled();
      const calm = steps.filter(({ action }) => !FAULTS.includes(action));
      // One step in eight may be a fault, else a cluster is down most of the time.
      const pool = pick % 8 === 0 || calm.length === 0 ? steps : calm;
      // With a halted broker and no one else a cluster may be at its end.
      const chosen = pool[Math.floor(pick / 8) % pool.length];
      if (!chosen) return;
      const step = { ...chosen, id: i + 1 };
      cluster.step(step);
      at(cluster, step);
    });
  }

  /** All steps there could be, whether they make sense or not. */
  function everyStep(cluster: Cluster): Step[] {
    const { controller, replicas: held } = cluster.observe();
    const longest = Math.max(...Object.values(held).map(({ disk }) => disk.log.length));
    const numbers = Array.from({ length: Math.max(controller.epoch, longest) + 3 }, (_, i) => i - 1);
    const domain = { replica: cluster.config.replicas, acks: ['1', 'all'], number: numbers };
    return (Object.keys(actions) as ActionName[]).flatMap((action) =>
      actions[action].takes
        .reduce<(string | number)[][]>(
          (lists, kind) => lists.flatMap((list) => domain[kind].map((arg) => [...list, arg])),
          [[]],
        )
        .map((args) => ({ action, args })),
    );
  }

  test('every enabled step succeeds, any other is refused with a reason and changes nothing', () => {
    fc.assert(
      fc.property(walk, (w) => {
        wander(w, (cluster) => {
          const before = cluster.observe();
          const enabled = new Set(cluster.enabled().map((step) => JSON.stringify(step)));
          const refused: [Step, string | null][] = [];
          for (const step of everyStep(cluster)) {
            const reason = cluster.whyNot(step);
            if (enabled.delete(JSON.stringify(step))) {
              cluster.step({ ...step, id: 999 });
              cluster.reset(before);
            } else {
              refused.push([step, reason]);
            }
          }
          for (const [step, reason] of refused) {
            const thrown = refusalOf(cluster, step);
            if (!reason || thrown?.reason !== reason) expect.fail(`${JSON.stringify(step)} was not refused: ${reason}`);
          }
          expect(equalStates(cluster.observe(), before)).toBe(true);
          expect([...enabled]).toEqual([]);
        });
      }),
      { numRuns: 20 },
    );
  });

  test('a step depends on nothing but the state, and leaves other copies alone', () => {
    fc.assert(
      fc.property(walk, (w) => {
        let before: ClusterState | undefined;
        let text = '';
        wander(w, (cluster, step) => {
          const after = cluster.observe();
          if (before && step) {
            expect(JSON.stringify(before)).toBe(text);
            const other = new Cluster(cluster.config);
            other.reset(JSON.parse(text));
            other.step(step);
            expect(other.observe()).toEqual(after);
          }
          before = after;
          text = JSON.stringify(after);
        });
      }),
      { numRuns: 50 },
    );
  });

  test('copy, equalStates and key agree', () => {
    fc.assert(
      fc.property(walk, (w) => {
        const states: ClusterState[] = [];
        wander(w, (cluster) => states.push(cluster.observe()));
        for (const state of states.slice(0, 25)) {
          expect(copy(state)).toEqual(state);
          expect(equalStates(copy(state), state)).toBe(true);
          expect(key(copy(state))).toBe(key(state));
          for (const other of states.slice(-25)) {
            const same = key(state) === key(other);
            expect(equalStates(state, other)).toBe(same);
            expect(equalStates(other, state)).toBe(same);
          }
        }
      }),
      { numRuns: 50 },
    );
  });

  test('one changed field is another state', () => {
    const story = new Story(profiles.kip320, { oldNews: true });
    story.play(['Write', 'A', 'all'], ...fetched('A', 'B'), ['Elect', 'B']);
    const state = story.cluster.observe();
    const addresses = { follower: 'B', leader: 'A', incarnation: 0, leaderEpoch: 1 };
    const answer = { error: 'none', endOffset: 1 } as const;
    state.network = [
      { type: 'FetchRequest', ...addresses, offset: 0, lastFetchedEpoch: 1, knownHw: -1 },
      {
        ...{ type: 'FetchResponse', ...addresses, offset: 0, lastFetchedEpoch: 1, knownHw: -1, ...answer },
        ...{ diverging: { epoch: 1, endOffset: 0 }, hw: 0, records: [{ id: 1, epoch: 1 }] },
      },
      { type: 'OffsetsForLeaderEpochRequest', ...addresses, asked: 1 },
      { type: 'OffsetsForLeaderEpochResponse', ...addresses, asked: 1, ...answer, epoch: 1 },
    ];
    const json = JSON.stringify(state);
    const places = leaves(state);
    expect(places.length).toBeGreaterThan(60);
    for (const place of places) {
      const other = JSON.parse(json);
      const holder = place.slice(0, -1).reduce((value, name) => value[name], other);
      const last = place.at(-1)!;
      holder[last] = typeof holder[last] === 'number' ? holder[last] + 1 : `${holder[last]}x`;
      expect([place, equalStates(state, other), key(state) === key(other)]).toEqual([place, false, false]);
    }
  });

  test('what is flushed is in the log, and an in-sync set has its leader', () => {
    fc.assert(
      fc.property(walk, (w) => {
        wander(w, (cluster) => {
          const { controller, network, replicas: held } = cluster.observe();
          for (const [id, { disk, memory }] of Object.entries(held)) {
            expect(disk.flushed).toBeLessThanOrEqual(disk.log.length);
            expect(memory.leaderEpoch).toBeLessThanOrEqual(controller.epoch);
            expect(memory.role !== 'leader' || memory.isr.includes(id)).toBe(true);
            expect(memory.role === 'leader' || memory.isr.length === 0).toBe(true);
            expect(memory.pending.every((offset) => offset >= memory.hw)).toBe(true);
            expect(network.filter(({ follower }) => follower === id).length).toBeLessThanOrEqual(1);
          }
        });
      }),
    );
  });

  test('under KIP-320 the cache describes the log and a follower agrees with its leader, whatever fails', () => {
    fc.assert(
      fc.property(walk, (w) => {
        wander({ ...w, profile: profiles.kip320, resumeSameEpoch: false }, (cluster) => {
          const { replicas: held } = cluster.observe();
          for (const { disk, memory } of Object.values(held)) {
            if (memory.role === 'down') continue;
            expect(memory.hw).toBeLessThanOrEqual(disk.log.length);
            const cached = disk.log.map((_, o) => disk.epochCache.findLast(({ start }) => start <= o)?.epoch);
            expect(cached).toEqual(disk.log.map(({ epoch }) => epoch));

            const leader = held[memory.leader];
            if (memory.fetchState !== 'fetching' || leader?.memory.role !== 'leader') continue;
            if (leader.memory.leaderEpoch !== memory.leaderEpoch) continue;
            const shorter = Math.min(disk.log.length, leader.disk.log.length);
            expect(disk.log.slice(0, shorter)).toEqual(leader.disk.log.slice(0, shorter));
          }
        });
      }),
      { numRuns: 300 },
    );
  });
});

function refusalOf(cluster: Cluster, step: Step): StepRefused | undefined {
  try {
    cluster.step({ ...step, id: 999 });
  } catch (error) {
    if (error instanceof StepRefused) return error;
    throw error;
  }
  return undefined;
}

/** The paths to all numbers and strings in a state, but for the type of a message. */
function leaves(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return path.at(-1) === 'type' ? [] : [path];
  return Object.entries(value).flatMap(([name, inner]) => leaves(inner, [...path, name]));
}
