export { apply, entriesOf } from './access.ts';
export { type Difference, diff, diffStates } from './diff.ts';
export { compare, equal, key } from './order.ts';
export { MAX_DEPTH, MAX_UNLISTED_ELEMENTS, parse, parseState, StateReader } from './parse.ts';
export { isName, print, printPretty, printState, printString } from './print.ts';
export { MAX_INTERVAL } from './sets.ts';
export { TlaLimitError, TlaSyntaxError } from './syntaxError.ts';
export { bool, type Entry, fn, int, model, record, set, str, tuple, type Value } from './value.ts';
