export { apply, entriesOf } from './access.ts';
export { type Difference, diff, diffStates } from './diff.ts';
export { compare, equal, key } from './order.ts';
export { MAX_DEPTH, MAX_INTERVAL_ELEMENTS, parse, parseState } from './parse.ts';
export { isName, print, printPretty, printState, printString } from './print.ts';
export { TlaLimitError, TlaSyntaxError } from './syntax-error.ts';
export { bool, type Entry, fn, int, model, record, set, str, tuple, type Value } from './value.ts';
