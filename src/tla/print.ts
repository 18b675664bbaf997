import type { Value } from './value.ts';

/**
 * TLA+ text that `parse` reads back and TLC evaluates (within the 32 bits of its integers). Only a model value that is
 * not a name, see `model`, is written as its text and so not read back.
 */
export function print(value: Value): string {
  switch (value.kind) {
    case 'bool':
      return value.value ? 'TRUE' : 'FALSE';
    case 'int':
      return String(value.value);
    case 'string':
      return printString(value.value);
    case 'model':
      return value.name;
    default: {
      const { open, parts, separator, close } = layout(value);
      return open + parts.map(([label, part]) => label + print(part)).join(`${separator} `) + close;
    }
  }
}

/** As `print`, with what does not fit in `width` columns spread over lines, as TLC does it. */
export function printPretty(value: Value, width = 80, indent = 0): string {
  const line = print(value);
  if (line.length + indent <= width || !isComposite(value)) return line;
  const { open, parts, separator, close } = layout(value);
  const inner = indent + 2;
  const lines = parts.map(([label, part]) => {
    const short = label + print(part);
    if (inner + short.length <= width || !isComposite(part)) return short;
    if (label === '') return printPretty(part, width, inner);
    return `${label.trimEnd()}\n${' '.repeat(inner + 2)}${printPretty(part, width, inner + 2)}`;
  });
  const pad = ' '.repeat(inner);
  return `${open}\n${pad}${lines.join(`${separator}\n${pad}`)}\n${' '.repeat(indent)}${close}`;
}

/** One line for each variable, as TLC prints a state. */
export function printState(state: ReadonlyMap<string, Value>): string {
  return Array.from(state, ([variable, value]) => `/\\ ${variable} = ${print(value)}`).join('\n');
}

/** A name that TLA+ takes as a record field or a variable. */
export function isName(text: string): boolean {
  return /^(?!WF_|SF_)(?=.*[A-Za-z])[A-Za-z0-9_]+$/.test(text) && !RESERVED.has(text);
}

/** A string with the escapes that TLA+ knows; any other character stands for itself. */
export function printString(text: string): string {
  return `"${text.replace(/["\\\t\n\f\r]/g, (char) => ESCAPES[char]!)}"`;
}

type Composite = Exclude<Value, { kind: 'bool' | 'int' | 'string' | 'model' }>;
type Layout = { open: string; parts: (readonly [label: string, value: Value])[]; separator: string; close: string };

function isComposite(value: Value): value is Composite {
  return value.kind === 'set' || value.kind === 'tuple' || value.kind === 'record' || value.kind === 'function';
}

function layout(value: Composite): Layout {
  switch (value.kind) {
    case 'set':
      return { open: '{', parts: value.elements.map((element) => ['', element]), separator: ',', close: '}' };
    case 'tuple':
      return { open: '<<', parts: value.elements.map((element) => ['', element]), separator: ',', close: '>>' };
    case 'record': {
      const fields = [...value.fields];
      if (fields.every(([name]) => isName(name))) {
        const parts = fields.map(([name, field]) => [`${name} |-> `, field] as const);
        return { open: '[', parts, separator: ',', close: ']' };
      }
      const parts = fields.map(([name, field]) => [`${printString(name)} :> `, field] as const);
      return { open: '(', parts, separator: ' @@', close: ')' };
    }
    case 'function': {
      const parts = value.entries.map(([argument, result]) => [`${print(argument)} :> `, result] as const);
      return { open: '(', parts, separator: ' @@', close: ')' };
    }
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
};

// "Specifying Systems", section 15.1, and the words of TLA+ version 2 proofs: SANY takes none of them as a name.
const RESERVED: ReadonlySet<string> = new Set(
  (
    'ACTION ASSUME ASSUMPTION AXIOM BY CASE CHOOSE CONSTANT CONSTANTS COROLLARY DEF DEFINE DEFS DOMAIN ELSE ENABLED ' +
    'EXCEPT EXTENDS FALSE HAVE HIDE IF IN INSTANCE LAMBDA LEMMA LET LOCAL MODULE NEW OBVIOUS OMITTED ONLY OTHER PICK ' +
    'PROOF PROPOSITION PROVE QED RECURSIVE STATE STRING BOOLEAN SUBSET SUFFICES TAKE TEMPORAL THEN THEOREM TRUE ' +
    'UNCHANGED UNION USE VARIABLE VARIABLES WITH WITNESS'
  ).split(' '),
);
