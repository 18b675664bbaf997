import { expect, test } from 'vitest';
import { readSpecMutants } from '../../src/specMutants/index.ts';
import { SPEC } from '../support/spec.ts';
import { describeWithTlc, PATIENCE_MS } from '../support/tlc.ts';

describeWithTlc('the syntax tree of the specification', () => {
  test(
    'shows each guard, alternative and update of an action, and of what it calls',
    async () => {
      const mutants = [...(await readSpecMutants(SPEC)).values()];
      const of = (name: string) =>
        mutants.filter(({ definition }) => definition === name).map(({ kind, text, becomes }) => [kind, text, becomes]);
      expect(of('ShrinkIsr')).toEqual([
        ['guard', 'MayChangeIsr(l)', 'TRUE'],
        ['guard', 'f \\in isr[l] \\ {l}', 'TRUE'],
        ['guard', 'ProfileOf[l].keepsCaughtUp => remoteLeo[l][f] # Leo(l)', 'TRUE'],
      ]);
      expect(of('StartsAnew').slice(0, 2)).toEqual([
        ['alternative', 'role[f] # "follower"', 'FALSE'],
        ['alternative', 'leader[f] # n.leader', 'FALSE'],
      ]);
      expect(of('Confirm')).toEqual([
        ['update', "controller' = [controller EXCEPT !.isr = newIsr]", "controller' = controller"],
        ['update', "elr' = ElrAfter(newIsr)", "elr' = elr"],
      ]);
      // Properties are no part of the next-state relation.
      expect(of('CommittedSurvives')).toEqual([]);
      expect(mutants.length).toBeGreaterThan(200);
    },
    PATIENCE_MS,
  );
});
