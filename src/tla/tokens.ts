import { symbol } from './scanner.ts';

/** The symbols that the parsers of values know. */
export const AND = symbol('/\\');
export const EQUALS = symbol('=');
export const MINUS = symbol('-');
export const COMMA = symbol(',');
export const COLON = symbol(':');
export const DOTS = symbol('..');
export const MAPS_TO = symbol('|->');
export const ARROW = symbol('->');
export const TO = symbol(':>');
export const JOIN = symbol('@@');
export const IN = symbol('\\in');
export const TIMES = symbol('\\X');
export const CUP = symbol('\\cup');
export const CAP = symbol('\\cap');
export const WITHOUT = symbol('\\');
export const OPEN = symbol('(');
export const CLOSE = symbol(')');
export const OPEN_SET = symbol('{');
export const CLOSE_SET = symbol('}');
export const OPEN_TUPLE = symbol('<<');
export const CLOSE_TUPLE = symbol('>>');
export const OPEN_RECORD = symbol('[');
export const CLOSE_RECORD = symbol(']');
