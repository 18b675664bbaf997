import { field, int32 } from '../schema.ts';

export const NONE = -1;
export const UNKNOWN = -1n;
/** "Not asked for", among authorized operations. */
export const NO_OPERATIONS = -2147483648;

export const throttleTimeMs = (since: number) => field(int32, { since, missing: 0 });
