import { describe, expect, it } from 'vitest';
import { agrees, exitCodeOf, moodOf, outcomeOf, runCell } from '../../src/commands/kafkaCell.ts';
import { memorySystem } from '../../src/systems/memory.ts';
import type { StepOutcome, System } from '../../src/systems/system.ts';
import { recorded } from '../support/traces.ts';

/** Kafka's place is taken by the implementation, which answers a ShrinkIsr so. */
function standIn(answer: StepOutcome): System {
  const memory = memorySystem();
  return { ...memory, step: async (step) => (step.action === 'ShrinkIsr' ? answer : memory.step(step)) };
}

const column = { release: '2.0.1', profile: 'Kafka_2_0_1', times: 1 };
const cellOf = (answer: StepOutcome) => runCell('stale-fetch', recorded('stale-fetch'), column, standIn(answer));

describe('a schedule on a system that refuses a step of it', () => {
  it('is no difference where the system can never be brought to take the step, and no evidence either', async () => {
    const cell = await cellOf({ kind: 'refused', reason: 'by a timer alone', never: true });
    expect(cell.seen).toMatchObject({ kind: 'refused', steps: 17, at: { index: 18, action: 'ShrinkIsr' } });
    expect([agrees(cell), outcomeOf(cell), moodOf(cell), exitCodeOf(cell)]).toEqual([true, '?', 'unknown', 0]);
  });

  it('is a difference where its rules refuse the step', async () => {
    const cell = await cellOf({ kind: 'refused', reason: 'C is in sync' });
    expect([agrees(cell), outcomeOf(cell), moodOf(cell), exitCodeOf(cell)]).toEqual([false, 'broken', 'bad', 1]);
  });
});
