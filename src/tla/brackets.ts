import { NAME } from './scanner.ts';
import { setText } from './sets.ts';
import { ARROW, CLOSE_RECORD, CLOSE_SET, COLON, COMMA, IN, MAPS_TO } from './tokens.ts';
import { model, setOf, type Value } from './value.ts';
import type { ValueParser } from './valueParser.ts';

/** `{1, 2}`, or `{x \in S : <expression …> }`. */
export function listedSet(parser: ValueParser, depth: number): Value {
  const at = parser.at;
  at.advance();
  const elements: Value[] = [];
  if (at.accept(CLOSE_SET)) return setOf(elements);
  do elements.push(parser.expression(depth + 1));
  while (at.accept(COMMA));
  if (!at.accept(IN)) {
    parser.expect(CLOSE_SET, ', or }');
    return setOf(elements);
  }
  const from = setText(parser.expression(depth + 1));
  parser.expect(COLON, ':');
  const condition = parser.opaque();
  parser.expect(CLOSE_SET, '}');
  return model(`{${elements.map(setText).join(', ')} \\in ${from} : ${condition}}`);
}

/** A record, or one of `[S -> T]`, `[f: S]` and `[x \in S |-> <expression …>]`. The empty one is what TLC makes of JSON's `{}`. */
export function bracket(parser: ValueParser, depth: number): Value {
  const at = parser.at;
  const field = at.acceptField();
  if (field !== null) return recordOf(parser, field, depth);
  at.advance();
  const { start } = at;
  if (at.accept(CLOSE_RECORD)) return parser.pool.record([], [])!;
  if (at.kind === NAME) {
    const { text } = at;
    at.advance();
    if (at.kind === COLON) return records(parser, text, start, depth);
    if (at.kind === IN || at.kind === COMMA) return lambda(parser, text, depth);
    const domain = parser.sum(parser.named(text, start, depth + 1), start, depth);
    return functions(parser, domain, start, depth);
  }
  const domain = parser.expression(depth + 1);
  if (at.kind === MAPS_TO) at.fail('a field name', start);
  return at.kind === IN ? lambda(parser, setText(domain), depth) : functions(parser, domain, start, depth);
}

function recordOf(parser: ValueParser, first: string, depth: number): Value {
  const at = parser.at;
  const names = [first];
  const places = [at.fieldStart];
  const values = [parser.expression(depth + 1)];
  while (at.kind === COMMA) {
    names.push(at.acceptField() ?? failAtField(parser));
    places.push(at.fieldStart);
    values.push(parser.expression(depth + 1));
  }
  parser.expect(CLOSE_RECORD, ', or ]');
  return parser.pool.record(names, values) ?? at.fail('each field once', places[firstTwice(names)]!);
}

function failAtField(parser: ValueParser): never {
  parser.at.advance();
  parser.name('a field name');
  return parser.at.fail('|->');
}

function firstTwice(names: readonly string[]): number {
  return names.findIndex((name, index) => names.indexOf(name) < index);
}

function records(parser: ValueParser, first: string, start: number, depth: number): Value {
  const fields: [string, Value][] = [];
  let name = first;
  for (;;) {
    parser.expect(COLON, ':');
    const next = parser.at.start;
    fields.push([name, parser.asSet(parser.expression(depth + 1), next)]);
    if (!parser.at.accept(COMMA)) break;
    name = parser.name('a field name');
  }
  parser.expect(CLOSE_RECORD, ', or ]');
  return parser.within(parser.sets.records(fields), start);
}

function functions(parser: ValueParser, domain: Value, start: number, depth: number): Value {
  parser.asSet(domain, start);
  parser.expect(ARROW, '->');
  const next = parser.at.start;
  const range = parser.asSet(parser.expression(depth + 1), next);
  parser.expect(CLOSE_RECORD, ']');
  return parser.within(parser.sets.functions(domain, range), start);
}

/** `[x, y \in S, z \in T |-> <expression …>]`, after its first name. */
function lambda(parser: ValueParser, first: string, depth: number): Value {
  const at = parser.at;
  const bounds: string[] = [];
  let names = [first];
  for (;;) {
    while (at.accept(COMMA)) names.push(parser.name('a name'));
    parser.expect(IN, '\\in');
    bounds.push(`${names.join(', ')} \\in ${setText(parser.expression(depth + 1))}`);
    if (!at.accept(COMMA)) break;
    names = [parser.name('a name')];
  }
  parser.expect(MAPS_TO, '|->');
  const body = parser.opaque();
  parser.expect(CLOSE_RECORD, ']');
  return model(`[${bounds.join(', ')} |-> ${body}]`);
}
