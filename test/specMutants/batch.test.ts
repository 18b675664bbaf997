import { expect, test } from 'vitest';
import { loadClaims, pickClaims } from '../../src/claims/index.ts';
import { lookAt, type Mutant, reachNothingElse, readSpecMutants, runBatch } from '../../src/specMutants/index.ts';
import { SPEC } from '../support/spec.ts';
import { describeWithTlc, PATIENCE_MS, quickJava } from '../support/tlc.ts';

describeWithTlc('mutants of the specification, held against a small model', () => {
  test(
    'are told apart by where they are evaluated, what they change, and what they reach',
    async () => {
      const mutants = await readSpecMutants(SPEC);
      const find = (definition: string, text: string): [number, Mutant] => {
        const found = [...mutants].find(([, one]) => one.definition === definition && one.text === text);
        if (found === undefined) throw new Error(`There is no ${text} in ${definition}.`);
        return found;
      };
      const unseen = find('FlushEpochFile', 'epochFile[r] # epochCache[r]');
      const [unreached, breaks, more, fewer] = [
        find('ElectUnclean', 'Alive(r)'),
        find('MaySend', 'UnderWay(f) = {}'),
        find('ShrinkIsr', 'MayChangeIsr(l)'),
        find('HandleAlterPartitionResponse', "isr' = [isr EXCEPT ![l] = newIsr]"),
      ];
      const chosen = new Map([unreached, unseen, breaks, more, fewer]);
      const [claim] = pickClaims(loadClaims(), ['hw-on-isr-reply'], () => false);
      const model = { claim: claim!, constants: {} };

      const look = await lookAt(model, chosen, { env: quickJava });
      expect(look.states).toBe(401);
      expect(look.holds).toContain('CommittedSurvives');
      expect([...look.evaluated].sort()).toEqual([unseen, breaks, more, fewer].map(([number]) => number).sort());
      expect(look.differs.has(breaks[0])).toBe(true);

      const fates = await runBatch(model, new Map([unseen, breaks, more, fewer]), look, { env: quickJava });
      expect(fates.get(unseen[0])).toEqual({ kind: 'same' });
      expect(fates.get(breaks[0])).toEqual({ kind: 'breaks', property: 'TypeOk' });
      expect(fates.get(more[0])?.kind).toBe('more');
      expect(fates.get(fewer[0])?.kind).toBe('fewer');

      expect(await reachNothingElse(model, new Map([unseen]), look, { env: quickJava })).toBe(true);
      expect(await reachNothingElse(model, new Map([more]), look, { env: quickJava })).toBe(false);
    },
    PATIENCE_MS,
  );
});
