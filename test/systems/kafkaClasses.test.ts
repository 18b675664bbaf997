import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kafkaClasses } from '../../src/systems/kafkaClasses.ts';
import type { System, SystemConfig, WorldStep } from '../../src/systems/system.ts';

/** They fetch Kafka with Maven and start JVMs: LEADER_EPOCH_KAFKA=1 npx vitest run test/systems/kafkaClasses.test.ts */
const enabled = process.env.LEADER_EPOCH_KAFKA === '1';
const BUILD_TIMEOUT_MS = 10 * 60_000;

const config: SystemConfig = {
  replicas: ['A', 'B'],
  firstLeader: 'A',
  profileOf: {},
  minIsr: 1,
  lazyCheckpoint: false,
  resumeSameEpoch: false,
  oldNews: false,
};

/** `Write A all #1`, `HandleFetch A B`, `BecomeLeader B 2` */
function steps(text: string): WorldStep[] {
  return text
    .trim()
    .split('\n')
    .flatMap((line) => line.split(';'))
    .map((step) => {
      const [action = '', ...words] = step.trim().split(' ');
      const id = words.find((word) => word.startsWith('#'));
      const isEpoch = action.startsWith('Become') || action === 'PowerLoss';
      const args = words
        .filter((word) => word !== id)
        .map((word, index) => (isEpoch && index === 1 ? Number(word) : word));
      return { action, args, ...(id === undefined ? {} : { id: Number(id.slice(1)) }) };
    });
}

async function play(system: System, schedule: string, changes: Partial<SystemConfig> = {}): Promise<void> {
  await system.reset({ ...config, ...changes });
  for (const step of steps(schedule)) {
    expect({ step, outcome: await system.step(step) }).toMatchObject({ step, outcome: { kind: 'taken' } });
  }
}

/** `1@1 3@2`: record 1 of epoch 1, record 3 of epoch 2. */
async function logs(system: System): Promise<Record<string, string>> {
  const { log } = (await system.observe()) as { log: Record<string, { id: number; epoch: number }[]> };
  return Object.fromEntries(
    Object.entries(log).map(([replica, records]) => [
      replica,
      records.map(({ id, epoch }) => `${id}@${epoch}`).join(' '),
    ]),
  );
}

const fetchOnce = (f: string, l: string): string => `SendFetch ${f}; HandleFetch ${l} ${f}; HandleFetchResponse ${f}`;
const askOnce = (f: string, l: string): string =>
  `SendOffsetsForLeaderEpoch ${f}; HandleOffsetsForLeaderEpoch ${l} ${f}; HandleOffsetsForLeaderEpochResponse ${f}`;

/** spec/models/FastRestartTold.tla: KAFKA-1211. `asks`: what the restarted follower does before its leader dies. */
const fastRestart = (asks: string | null): string => `
  Write A all #1
  ${fetchOnce('B', 'A')}
  SendFetch B; HandleFetch A B
  Crash B; Restart B; BecomeFollower B 1
  ${asks === null ? '' : `${asks}\n`}Crash A; Elect B; BecomeLeader B 2`;

/** KAFKA-6361. Leadership moves twice, each time before the other replica has followed. */
const fastLeaderChange = (then: string): string => `
  Write A all #1
  ${fetchOnce('B', 'A')}
  Write A 1 #2
  Elect B; BecomeLeader B 2; Write B 1 #3; Write B 1 #4
  Elect A; BecomeLeader A 3; Write A 1 #5
  BecomeFollower B 3
  ${then}`;

/** The hole that KIP-279 kept in 2.0.0: the follower has no epoch as old as the leader's answer. */
const noSharedEpoch = (then: string): string => `
  Write A 1 #1
  Elect B; BecomeLeader B 2; Write B 1 #2
  Elect A; BecomeLeader A 3; Write A 1 #3
  BecomeFollower B 3
  ${then}`;

/** KAFKA-3919: both lose power, B its second record with it. */
const hardFailures = (then: string): string => `
  Write A all #1; Write A all #2
  ${fetchOnce('B', 'A')}
  ${fetchOnce('B', 'A')}
  PowerLoss B 1; PowerLoss A 2
  Restart B; Elect B; BecomeLeader B 2; Write B all #3
  Restart A; BecomeFollower A 2
  ${then}`;

const releases = ['1.1.1+0.10.2', '1.1.0', '1.1.1', '2.0.0', '2.0.1', '2.0.1+1.1', '4.4.0'] as const;
type ReleaseName = (typeof releases)[number];

describe.skipIf(!enabled)('Kafka’s own classes', () => {
  const systems = new Map<ReleaseName, System>();
  const of = (release: ReleaseName): System => systems.get(release) as System;
  beforeAll(async () => {
    for (const release of releases) systems.set(release, await kafkaClasses(release));
  }, BUILD_TIMEOUT_MS);
  afterAll(async () => {
    for (const system of systems.values()) await system.close();
  });

  it('shows a fresh cluster as the specification begins', async () => {
    await of('2.0.1').reset(config);
    expect(await of('2.0.1').observe()).toEqual({
      log: { A: [], B: [] },
      flushed: { A: 0, B: 0 },
      epochCache: { A: [{ epoch: 1, start: 0 }], B: [] },
      epochFile: { A: [{ epoch: 1, start: 0 }], B: [] },
      checkpoint: { A: 0, B: 0 },
      role: { A: 'leader', B: 'follower' },
      leaderEpoch: { A: 1, B: 1 },
      leader: { A: 'A', B: 'A' },
      hw: { A: 0, B: 0 },
      fetchState: { A: 'idle', B: 'fetching' },
      incarnation: { A: 0, B: 0 },
      isr: { A: ['A', 'B'], B: [] },
      remoteLeo: { A: { A: -1, B: -1 }, B: { A: -1, B: -1 } },
      epochStart: { A: 0, B: -1 },
      pending: { A: [], B: [] },
      controller: { epoch: 1, leader: 'A', isr: ['A', 'B'] },
      oldNews: [],
      network: [],
    });
  });

  describe('fast restart (KAFKA-1211)', () => {
    it('protocol 0.10.2 loses an acknowledged record', async () => {
      const system = of('1.1.1+0.10.2');
      await system.reset(config);
      const effects = [];
      for (const step of steps(fastRestart(null))) {
        const outcome = await system.step(step);
        if (outcome.kind === 'taken') effects.push(...outcome.effects);
      }
      expect(effects).toEqual([{ kind: 'acknowledged', id: 1, acks: 'all' }]);
      expect(await logs(system)).toEqual({ A: '1@1', B: '' });
    });

    it.each(['1.1.1', '2.0.0', '2.0.1'] as const)('%s asks its leader and keeps it', async (release) => {
      await play(of(release), fastRestart(askOnce('B', 'A')));
      expect(await logs(of(release))).toEqual({ A: '1@1', B: '1@1' });
    });

    it('4.4.0 keeps it without asking', async () => {
      await play(of('4.4.0'), fastRestart(null));
      expect(await logs(of('4.4.0'))).toEqual({ A: '1@1', B: '1@1' });
    });
  });

  describe('fast leader change (KAFKA-6361)', () => {
    const round = `${askOnce('B', 'A')}\n${fetchOnce('B', 'A')}`;

    it.each(['1.1.1', '2.0.1+1.1'] as const)('forks on %s', async (release) => {
      await play(of(release), fastLeaderChange(round));
      expect(await logs(of(release))).toEqual({ A: '1@1 2@1 5@3', B: '1@1 3@2 5@3' });
    });

    it.each(['2.0.0', '2.0.1'] as const)('not on %s', async (release) => {
      await play(of(release), fastLeaderChange(round));
      expect(await logs(of(release))).toEqual({ A: '1@1 2@1 5@3', B: '1@1 2@1 5@3' });
    });

    it('not on 4.4.0, which cuts in one fetch and goes on in the next', async () => {
      await play(of('4.4.0'), fastLeaderChange(fetchOnce('B', 'A')));
      expect(await logs(of('4.4.0'))).toEqual({ A: '1@1 2@1 5@3', B: '1@1' });
      for (const step of steps(fetchOnce('B', 'A'))) await of('4.4.0').step(step);
      expect(await logs(of('4.4.0'))).toEqual({ A: '1@1 2@1 5@3', B: '1@1 2@1 5@3' });
    });
  });

  describe('no epoch shared', () => {
    const round = `${askOnce('B', 'A')}\n${fetchOnce('B', 'A')}`;

    it.each(['1.1.1', '2.0.0'] as const)('forks on %s', async (release) => {
      await play(of(release), noSharedEpoch(`${round}\n${fetchOnce('B', 'A')}\n${fetchOnce('B', 'A')}`));
      expect(await logs(of(release))).toEqual({ A: '1@1 3@3', B: '2@2 3@3' });
      const { hw, isr } = await of(release).observe();
      expect({ hw, isr }).toEqual({ hw: { A: 2, B: 2 }, isr: { A: ['A', 'B'], B: [] } });
    });

    it('not on 2.0.1', async () => {
      await play(of('2.0.1'), noSharedEpoch(round));
      expect(await logs(of('2.0.1'))).toEqual({ A: '1@1 3@3', B: '1@1 3@3' });
    });
  });

  describe('hard failures (KAFKA-3919)', () => {
    it('protocol 0.10.2 keeps what its leader does not have', async () => {
      await play(of('1.1.1+0.10.2'), hardFailures(fetchOnce('A', 'B')));
      expect(await logs(of('1.1.1+0.10.2'))).toEqual({ A: '1@1 2@1', B: '1@1 3@2' });
    });

    it.each(['1.1.1', '2.0.1'] as const)('%s cuts it', async (release) => {
      await play(of(release), hardFailures(`${askOnce('A', 'B')}\n${fetchOnce('A', 'B')}`));
      expect(await logs(of(release))).toEqual({ A: '1@1 3@2', B: '1@1 3@2' });
    });

    it('4.4.0 cuts it', async () => {
      await play(of('4.4.0'), hardFailures(`${fetchOnce('A', 'B')}\n${fetchOnce('A', 'B')}`));
      expect(await logs(of('4.4.0'))).toEqual({ A: '1@1 3@2', B: '1@1 3@2' });
    });
  });

  it('2.0.1 asks a second time (spec/models/SecondRoundTold.tla)', async () => {
    const before = `
      Write A all #1
      ${fetchOnce('B', 'A')}
      Elect B; BecomeLeader B 2; Write B all #2
      Elect A; BecomeLeader A 3; Write A all #3
      Elect B; BecomeLeader B 4; BecomeFollower A 4
      ${askOnce('A', 'B')}`;
    await play(of('2.0.1'), before);
    expect((await of('2.0.1').observe()).fetchState).toEqual({ A: 'truncating', B: 'idle' });
    expect(await logs(of('2.0.1'))).toEqual({ A: '1@1', B: '1@1 2@2' });
    for (const step of steps(`${askOnce('A', 'B')}\n${fetchOnce('A', 'B')}`)) await of('2.0.1').step(step);
    expect(await logs(of('2.0.1'))).toEqual({ A: '1@1 2@2', B: '1@1 2@2' });
  });

  it('refuses what a release does not have, and what cannot be now', async () => {
    await of('4.4.0').reset(config);
    expect(await of('4.4.0').step({ action: 'SendOffsetsForLeaderEpoch', args: ['B'] })).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('inside Fetch'),
    });
    await of('2.0.1').reset(config);
    expect(await of('2.0.1').step({ action: 'HandleFetch', args: ['A', 'B'] })).toEqual({
      kind: 'refused',
      reason: 'B has no FetchRequest under way',
    });
  });

  it('lets the ISR change only in the steps that say so', async () => {
    const isr = async (): Promise<unknown> => ((await of('2.0.1').observe()).isr as Record<string, unknown>).A;
    await play(
      of('2.0.1'),
      `Write A 1 #1; Crash B; ShrinkIsr A B; Restart B; BecomeFollower B 1\n${askOnce('B', 'A')}`,
    );
    expect(await isr()).toEqual(['A']);
    for (const step of steps(`${fetchOnce('B', 'A')}\n${fetchOnce('B', 'A')}`)) await of('2.0.1').step(step);
    expect(await isr()).toEqual(['A']);
    expect(await of('2.0.1').step({ action: 'ExpandIsr', args: ['A', 'B'] })).toMatchObject({ kind: 'taken' });
    expect(await isr()).toEqual(['A', 'B']);
  });

  it('keeps the high watermark off the disk until it is told to, if it is lazy', async () => {
    await play(of('2.0.1'), 'Write A 1 #1; Crash B; ShrinkIsr A B', { lazyCheckpoint: true });
    const { hw, checkpoint } = await of('2.0.1').observe();
    expect({ hw, checkpoint }).toEqual({ hw: { A: 1, B: 0 }, checkpoint: { A: 0, B: 0 } });
    await of('2.0.1').step({ action: 'CheckpointHighWatermark', args: ['A'] });
    expect((await of('2.0.1').observe()).checkpoint).toEqual({ A: 1, B: 0 });
  });

  // The running code is right; where spec/LeaderEpoch.tla says otherwise, these hold what was seen.
  describe('what the specification simplifies', () => {
    /** B's high watermark is 2, its log is cut to nothing, for its new leader is empty. */
    const highWatermarkAboveTheEnd = `
      Write A all #1; Write A all #2
      ${fetchOnce('B', 'A')}
      ${fetchOnce('B', 'A')}
      ${fetchOnce('B', 'A')}
      PowerLoss A 0; Crash B; PartitionOffline; Restart A; Elect A; BecomeLeader A 3
      Restart B; BecomeFollower B 3`;

    it('a high watermark above the log end falls to the log start when 2.0.1 becomes leader', async () => {
      await play(of('2.0.1'), `${highWatermarkAboveTheEnd}\n${askOnce('B', 'A')}`);
      expect(await logs(of('2.0.1'))).toEqual({ A: '', B: '' });
      expect((await of('2.0.1').observe()).hw).toEqual({ A: 0, B: 2 });
      for (const step of steps('Crash A; ElectUnclean B; BecomeLeader B 4')) await of('2.0.1').step(step);
      expect((await of('2.0.1').observe()).hw).toEqual({ A: 0, B: 0 });
    });

    it.each([
      ['1.1.0', 1],
      ['1.1.1', 0],
    ] as const)(
      'the reply of %s to a fetch that moves the high watermark says %i (KAFKA-7104)',
      async (release, hw) => {
        await play(of(release), `Write A all #1\n${fetchOnce('B', 'A')}\nSendFetch B; HandleFetch A B`);
        const { network } = await of(release).observe();
        expect(network).toMatchObject([{ type: 'FetchResponse', offset: 1, hw }]);
      },
    );

    it('a fetch out of range makes 1.1.1 forget how far the follower was, and the follower halt', async () => {
      const before = `
        ${fetchOnce('B', 'A')}
        Elect C; BecomeLeader C 2; Write C 1 #1; BecomeFollower B 2
        ${askOnce('B', 'C')}
        ${fetchOnce('B', 'C')}
        ShrinkIsr C A
        ${fetchOnce('B', 'C')}
        ${fetchOnce('B', 'C')}
        Crash B; Crash C; ElectUnclean A; BecomeLeader A 3; Restart B; BecomeFollower B 3
        ${askOnce('B', 'A')}
        SendFetch B`;
      await play(of('1.1.1'), before, { replicas: ['A', 'B', 'C'] });
      expect((await of('1.1.1').observe()).remoteLeo).toMatchObject({ A: { B: 0 } });
      await of('1.1.1').step({ action: 'HandleFetch', args: ['A', 'B'] });
      expect(await of('1.1.1').observe()).toMatchObject({
        remoteLeo: { A: { B: -1 } },
        network: [{ error: 'OFFSET_OUT_OF_RANGE' }],
      });
      await of('1.1.1').step({ action: 'HandleFetchResponse', args: ['B'] });
      expect((await of('1.1.1').observe()).role).toEqual({ A: 'leader', B: 'halted', C: 'down' });
    });

    it('4.4.0 looks at the epoch before it looks who leads, and who is fenced waits for news', async () => {
      await play(of('4.4.0'), 'SendFetch B; Elect B; BecomeFollower A 2; HandleFetch A B');
      expect((await of('4.4.0').observe()).network).toMatchObject([{ error: 'FENCED_LEADER_EPOCH' }]);
      await of('4.4.0').step({ action: 'HandleFetchResponse', args: ['B'] });
      expect((await of('4.4.0').observe()).fetchState).toEqual({ A: 'fetching', B: 'failed' });
      expect(await of('4.4.0').step({ action: 'SendFetch', args: ['B'] })).toMatchObject({ kind: 'refused' });
    });

    it('4.4.0 keeps a silent follower in the ISR that has all of the leader’s log', async () => {
      await play(of('4.4.0'), `${fetchOnce('B', 'A')}\nCrash B`);
      const shrink = { action: 'ShrinkIsr', args: ['A', 'B'] };
      expect(await of('4.4.0').step(shrink)).toMatchObject({ kind: 'refused' });
      await of('4.4.0').step({ action: 'Write', args: ['A', '1'], id: 1 });
      expect(await of('4.4.0').step(shrink)).toMatchObject({ kind: 'taken' });
    });

    it('4.4.0 lets a follower in only by a fetch of its present life (KIP-903)', async () => {
      await play(
        of('4.4.0'),
        `Write A 1 #1\n${fetchOnce('B', 'A')}\nWrite A 1 #2; ShrinkIsr A B\n${fetchOnce('B', 'A')}\n${fetchOnce('B', 'A')}
        Crash B; Restart B; BecomeFollower B 1`,
      );
      const expand = { action: 'ExpandIsr', args: ['A', 'B'] };
      expect(await of('4.4.0').step(expand)).toMatchObject({ kind: 'refused' });
      for (const step of steps(fetchOnce('B', 'A'))) await of('4.4.0').step(step);
      expect(await of('4.4.0').step(expand)).toMatchObject({ kind: 'taken' });
    });

    it('the high watermark of 4.4.0 moves when the ISR has grown to min.insync.replicas', async () => {
      const before = `
        ${fetchOnce('B', 'A')}
        Write A 1 #1; ShrinkIsr A B
        ${fetchOnce('B', 'A')}
        ${fetchOnce('B', 'A')}`;
      await play(of('4.4.0'), before, { minIsr: 2 });
      expect((await of('4.4.0').observe()).hw).toEqual({ A: 0, B: 0 });
      await of('4.4.0').step({ action: 'ExpandIsr', args: ['A', 'B'] });
      expect((await of('4.4.0').observe()).hw).toEqual({ A: 1, B: 0 });
    });
  });
});
