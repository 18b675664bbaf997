/** Traces of another specification, small enough to be read: R07's steps, each with a mark of its own. */
export const CLUSTER_OF_OTHERS = JSON.stringify({
  '#meta': { format: 'ITF', description: 'what an explorer has to show' },
  vars: ['isr', 'config', 'queue', 'seen'],
  loop: 1,
  states: [
    {
      isr: { b1: { members: { '#set': ['b1'] } }, b2: { members: { '#set': ['b1', 'b2', 'b3'] } } },
      config: { minIsr: 1, unclean: false },
      queue: ['x', 'y', 'z'],
      seen: { '#set': [1, 2, 3] },
    },
    {
      isr: { b1: { members: { '#set': ['b1'] } }, b2: { members: { '#set': ['b2', 'b1'] } } },
      config: { minIsr: 1, unclean: false },
      queue: ['x', 'y', 'z'],
      seen: { '#set': [3, 1, 2] },
    },
    {
      isr: { b1: { members: { '#set': ['b1'] } }, b2: { members: { '#set': ['b1', 'b2'] } } },
      config: { minIsr: 1 },
      queue: ['x', 'y'],
      seen: { '#set': [1, 2, 3] },
    },
    {
      isr: { b1: { members: { '#set': ['b1'] } }, b2: { members: { '#set': ['b1', 'b2'] } } },
      config: { minIsr: 1 },
      queue: ['x', 'y'],
      seen: { '#set': [1, 2, 3] },
    },
  ],
});
