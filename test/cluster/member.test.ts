import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Member } from '../../src/cluster/member.ts';
import { encodeBatch, MemoryFiles, openStore, storeDefaults } from '../../src/disk/index.ts';
import { Cluster, type Config, profileOfAll, profiles, type StepResult } from '../../src/replica/index.ts';

const configOf = (minIsr: number): Config => ({
  ...{ replicas: ['A', 'B'], firstLeader: 'A', profileOf: profileOfAll(profiles.kafka_4_4, ['A', 'B']) },
  ...{ minIsr, lazyCheckpoint: true, resumeSameEpoch: false, oldNews: true },
});

/** A, which leads, on files in memory, and what its steps told. */
function leader(config: Config) {
  const identify = () => [];
  const opened = openStore(new MemoryFiles(), { ...storeDefaults, folder: 'data', topic: 't', identify });
  if (opened.kind === 'damaged') throw new Error(opened.damage.what);
  const told: StepResult[] = [];
  return { member: new Member(config, 'A', opened, 0, (_step, result) => told.push(result)), told };
}

const batchOf = (count: number, baseOffset: number) =>
  encodeBatch({ baseOffset, epoch: 1, records: Array.from({ length: count }, () => ({ value: Buffer.from('x') })) });

const acknowledged = (results: readonly StepResult[]) => results.flatMap((result) => result.acknowledged);

describe('a batch of records', () => {
  const writes = fc.array(fc.record({ count: fc.integer({ min: 1, max: 5 }), acks: fc.constantFrom('1', 'all') }), {
    minLength: 1,
    maxLength: 4,
  });

  it('is written as its records would be, one step after the other', () => {
    fc.assert(
      fc.property(fc.constantFrom(1, 2), fc.boolean(), writes, (minIsr, alone, all) => {
        const config = configOf(minIsr);
        const { member, told } = leader(config);
        const expected = new Cluster(config);
        const results: StepResult[] = [];
        if (alone) {
          const shrink = { action: 'ShrinkIsr', args: ['A', 'B'] } as const;
          member.tryStep(shrink);
          expected.step(shrink);
        }
        told.length = 0;
        let id = 0;
        for (const { acks, count } of all) {
          const step = { action: 'Write', args: ['A', acks] } as const;
          const ids = Array.from({ length: count }, () => ++id);
          const written = member.write(ids, acks, batchOf(count, member.replica.disk.log.length));
          expect(written === null).toBe(expected.whyNot(step) !== null);
          if (written !== null) results.push(...ids.map((one) => expected.step({ ...step, id: one })));
          expect(member.replica).toEqual(expected.observe().replicas.A);
        }
        expect(acknowledged(told)).toEqual(acknowledged(results));
      }),
    );
  });
});
