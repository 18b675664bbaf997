import { type Io, wantsColour } from './io.ts';

type Mood = 'good' | 'bad' | 'unknown' | 'quiet' | 'title';

const CODES: Readonly<Record<Mood, string>> = { good: '32', bad: '31', unknown: '33', quiet: '2', title: '1' };
const MARKS: Readonly<Record<'good' | 'bad' | 'unknown', string>> = { good: '✓', bad: '✗', unknown: '?' };

export function paint(text: string, mood: Mood, io: Io): string {
  return wantsColour(io) ? `\u001b[${CODES[mood]}m${text}\u001b[0m` : text;
}

export function mark(mood: 'good' | 'bad' | 'unknown', io: Io): string {
  return paint(MARKS[mood], mood, io);
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

export function plural(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

/** `m1 and m3`. */
export function records(ids: readonly number[]): string {
  const names = ids.map((id) => `m${id}`);
  return names.length < 2 ? (names[0] ?? 'no record') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
