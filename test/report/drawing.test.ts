import { describe, expect, test } from 'vitest';
import { draw } from '../../src/report/drawing.ts';
import { paletteFor } from '../../src/report/palette.ts';
import { tellSteps } from '../../src/report/steps.ts';
import { fixture } from './support.ts';

function drawn(
  name: string,
  step: number,
  options: { width?: number; offsets?: boolean; flushed?: boolean } = {},
): string {
  const { before, after } = tellSteps(fixture(name)).steps[step - 1]!;
  return `\n${draw(after, { palette: paletteFor(false), width: 75, before, ...options }).join('\n')}\n`;
}

describe('a drawing', () => {
  test('the high watermark is the double bar', () => {
    expect(drawn('FastRestartTold', 6)).toBe(`
A  leader     e1  │ m1·e1✓║  LEO 1  HW 1
B  follower   e1  ║ m1·e1✓│  LEO 1  HW 0
`);
  });

  test('a record that was cut has a sign and a dotted end, one that is new a sign', () => {
    expect(drawn('FastRestartTold', 9)).toBe(`
A  leader     e1  │ m1·e1✓║  LEO 1  HW 1
B  follower   e1  ║-m1·e1✓┊  LEO 0  HW 0
`);
    expect(drawn('SecondRoundTold', 22, { offsets: true })).toBe(`
                  0       1
A  follower   e4  ║ m1·e1 │+m2·e2 │  LEO 2  HW 0  cache e1→0 e2→1
B  leader     e4  │ m1·e1 ║ m2·e2 │  LEO 2  HW 1  cache e1→0 e2→1 e4→2
`);
  });

  test('where logs differ, and a leader that was replaced', () => {
    expect(drawn('SecondRoundTold', 11)).toBe(`
A  old leader e3  ║ m1·e1 │ m3·e3 │  LEO 2  HW 0  cache e1→0 e3→1
B  old leader e2  ║ m1·e1 │ m2·e2 │  LEO 2  HW 0  cache e1→0 e2→1
                            ≠ the logs differ here
`);
  });

  test('a high watermark past the end of the log stands alone', () => {
    expect(drawn('high-watermark-past-the-end', 22)).toBe(`
A  follower   e2  │ m1·e1✓│-m2·e1✓║  LEO 1  HW 2  cache e1→0
B  leader     e2  │ m1·e1✓│ m3·e2✓║  LEO 2  HW 2  cache e1→0 e2→1
`);
  });

  test('what is on disk, where it is not the same or nothing else', () => {
    expect(drawn('lazy-checkpoint-and-isr', 27, { flushed: true, width: 90 })).toBe(`
A  leader     e1  │ m1·e1✓│ m2·e1 │ m3·e1✓║  LEO 3  HW 3 (disk 2)  flushed 3  cache e1→0
B  down           │ m1·e1✓│ m2·e1 │-m3·e1✓┊  LEO 2  HW – (disk 0)  flushed 2  cache e1→0
`);
  });

  test('too narrow: without caches, then without old records', () => {
    expect(drawn('lazy-checkpoint-and-isr', 26, { width: 66 })).toBe(`
A  leader     e1  │ m1·e1✓│ m2·e1 │ m3·e1✓║  LEO 3  HW 3 (disk 2)
B  follower   e1  │ m1·e1✓│ m2·e1 ║ m3·e1✓│  LEO 3  HW 2 (disk 0)
`);
    expect(drawn('lazy-checkpoint-and-isr', 26, { width: 60, offsets: true })).toBe(`
                    1       2
A  leader     e1  … │ m2·e1 │ m3·e1✓║  LEO 3  HW 3 (disk 2)
B  follower   e1  … │ m2·e1 ║ m3·e1✓│  LEO 3  HW 2 (disk 0)
`);
  });

  test('empty logs', () => {
    expect(drawn('FastRestartTold', 2).replaceAll(/[^\n]*leader.*\n/g, '')).toBe(`
B  follower   e1  ║          LEO 0  HW 0
`);
  });
});

test('each leader epoch has its colour', () => {
  const { after } = tellSteps(fixture('HardFailuresTold')).steps.at(-1)!;
  const lines = draw(after, { palette: paletteFor(true), width: 75 });
  expect(lines[0]).toContain('\u001b[36m m1·e1✓\u001b[39m');
  expect(lines[1]).toContain('\u001b[33m m3·e2✓\u001b[39m');
});
