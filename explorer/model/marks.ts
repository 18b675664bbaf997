import type { Opened } from './opened.ts';

const FAULTS = ['Crash', 'PowerLoss', 'ElectUnclean', 'PartitionOffline'];
/** More than that would be a stripe. */
const MAX_MARKS = 200;

/** Something on the line of time. */
export interface TimelineMark {
  readonly index: number;
  readonly kind: 'fault' | 'leads' | 'broken' | 'loop';
}

/** Where a trace has something to look for: faults, new leaders, the step that breaks it, where it loops. */
export function marksOf(opened: Opened): TimelineMark[] {
  const marks: TimelineMark[] = [];
  for (let index = 1; index <= opened.last; index++) {
    const name = opened.action(index)?.name ?? '';
    if (FAULTS.includes(name)) marks.push({ index, kind: 'fault' });
    else if (name === 'BecomeLeader') marks.push({ index, kind: 'leads' });
  }
  const few = marks.length > MAX_MARKS ? [] : marks;
  if (opened.trace.loop !== undefined) few.push({ index: opened.trace.loop, kind: 'loop' });
  return opened.broken(opened.last) === null
    ? few
    : [...few.filter(({ index }) => index !== opened.last), { index: opened.last, kind: 'broken' }];
}
