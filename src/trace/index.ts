export { ItfError } from './itf-error.ts';
export { parseItf } from './itf-read.ts';
export { printItf } from './itf-write.ts';
export { type ActionTaken, assertTrace, type State, type Trace } from './trace.ts';
export { normalizeUnits, type Variant, variantOf } from './variant.ts';
