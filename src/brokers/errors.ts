import { errors } from '../wire/index.ts';

const NAMES = new Map<number, string>(Object.entries(errors).map(([name, code]) => [code, name]));
/** As the specification calls them. */
const OURS = new Map<number, string>([
  [errors.NONE, 'none'],
  [errors.NOT_LEADER_OR_FOLLOWER, 'NOT_LEADER'],
]);

export function errorName(code: number): string {
  return OURS.get(code) ?? NAMES.get(code) ?? `error ${code}`;
}
