import type { Message, Replica, World } from '../../../../src/report/index.ts';
import type { Asked } from '../stop.ts';

/** What a question looks at: the worlds before and after its step. */
export function worldsOf({ opened, index }: Asked): [before: World, after: World] {
  return [opened.world(index - 1), opened.world(index)];
}

/** A replica before and after the step. */
export function around(asked: Asked, id: string): [Replica | undefined, Replica | undefined] {
  const [before, after] = worldsOf(asked);
  const find = (world: World) => world.replicas.find(({ name }) => name === id);
  return [find(before), find(after)];
}

/** What a follower has under way. */
export function messageOf(world: World, follower: string): Message | undefined {
  return world.network.find((message) => message.follower === follower);
}

export function count(records: number): string {
  return records === 1 ? '1 record' : `${records} records`;
}

/** `m1 and m2`, with what is said of it in the right number. */
export function named(list: readonly { readonly id: number }[], one: string, many: string): string {
  return `${list.map(({ id }) => `m${id}`).join(', ')} ${list.length === 1 ? one : many}`;
}

export function cacheText(cache: Replica['epochCache']): string {
  return cache.map(({ epoch, start }) => `e${epoch} from ${start}`).join(', ') || 'empty';
}
