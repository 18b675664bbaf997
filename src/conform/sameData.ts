/** Whether two pieces of plain data (as of JSON) are the same, lists in the same order. */
export function sameData(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!sameData(a[i], b[i])) return false;
    return true;
  }
  let more = 0;
  for (const key in a) {
    if (!(key in b) || !sameData(a[key as never], b[key as never])) return false;
    more++;
  }
  for (const _ in b) more--;
  return more === 0;
}
