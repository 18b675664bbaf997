import type { LogRecord } from './world.ts';

export function records(list: readonly { readonly id: number }[]): string {
  return enumerate(list.map(({ id }) => `m${id}`));
}

/** A record with the epoch that wrote it, as it stands in a drawing. */
export function recordText({ id, epoch }: LogRecord): string {
  return `m${id}·e${epoch}`;
}

/** `A`, `A and B`, `A, B and C`; `no one` for none. */
export function enumerate(items: readonly string[]): string {
  if (items.length === 0) return 'no one';
  return items.length === 1 ? items[0]! : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

/** `one record`, `3 records`. */
export function count(number: number, noun: string): string {
  return number === 1 ? `one ${noun}` : `${number === 0 ? 'no' : number} ${noun}s`;
}

/** What there is of the parts, with a space between. */
export function sentence(...parts: readonly (string | false)[]): string {
  return parts.filter((part) => part !== false && part !== '').join(' ');
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The word for one or for more. */
export function agree(list: readonly unknown[], one: string, many: string): string {
  return list.length === 1 ? one : many;
}
