/** Traces out: as TLA+, for people, as sequence diagrams; and in from what TLC dumps as JSON. */
import { describe, expect, test } from 'vitest';
import { int, model, parse, parseState, str, type Value } from '../../src/tla/index.ts';
import {
  type ActionTaken,
  parseTlcJson,
  printMarkdown,
  printMermaid,
  printSvg,
  printText,
  printTlaModule,
  sequenceOf,
  type Trace,
  TraceError,
} from '../../src/trace/index.ts';

/** States as TLC prints them, each after the first with the name of its action. */
function traceOf(first: string, ...steps: [action: ActionTaken | string | null, state: string][]): Trace {
  const states = [first, ...steps.map(([, state]) => state)].map((state) => parseState(state));
  const actions = steps.map(([action]) => (typeof action === 'string' ? { name: action } : action));
  return { vars: [...states[0]!.keys()], states, actions: [null, ...actions], meta: {} };
}

const COUNTER = traceOf('x = 0', ['Up', 'x = 1'], [{ name: 'Up', args: [int(2), str('a|b')] }, 'x = 3']);
const PING = traceOf(
  '/\\ net = {} /\\ seen = (a :> 0 @@ b :> 0)',
  ['Ask', '/\\ net = {[from |-> a, to |-> b, type |-> "ping"]} /\\ seen = (a :> 0 @@ b :> 0)'],
  ['Answer', '/\\ net = {[from |-> b, to |-> a, type |-> "pong"]} /\\ seen = (a :> 0 @@ b :> 1)'],
  [{ name: 'Lose', args: [model('a')] }, '/\\ net = {} /\\ seen = (a :> 0 @@ b :> 1)'],
  ['Ask', '/\\ net = {[from |-> a, to |-> b, type |-> "ping; <&#>"]} /\\ seen = (a :> 0 @@ b :> 1)'],
);

describe('as text', () => {
  test('what TLC prints on a console', () => {
    expect(printText(COUNTER)).toBe(`State 1: <Initial predicate>
x = 0

State 2: <Up>
x = 1

State 3: <Up(2, "a|b")>
x = 3
`);
  });

  test('a lasso, and stuttering', () => {
    expect(printText({ ...COUNTER, loop: 1, loopAction: { name: 'Back' } })).toMatch(/\n\nBack to state 2: <Back>\n$/);
    expect(printText({ ...COUNTER, loop: 2 })).toMatch(/\n\nState 4: Stuttering\n$/);
  });
});

describe('as Markdown', () => {
  test('the first state, a table of what each step changes, the last state', () => {
    expect(printMarkdown({ ...COUNTER, meta: { property: 'x_is_small' }, loop: 2 }, { title: 'Too *large*' })).toBe(
      `# Too \\*large\\*

- property: x\\_is\\_small

## State 1

\`\`\`tla
/\\ x = 0
\`\`\`

## Steps

| state | action | changes |
|---|---|---|
| 2 | \`Up\` | \`x\` \`0\` → \`1\` |
| 3 | \`Up(2, "a\\|b")\` | \`x\` \`1\` → \`3\` |

Stuttering in state 3 for ever.

## Last state

\`\`\`tla
/\\ x = 3
\`\`\`
`,
    );
  });

  test('a text full of marks stays text', () => {
    const page = printMarkdown(traceOf('x = "``` | *"', ['A', 'x = "` end"']));
    expect(page).toContain('````tla\n/\\ x = "``` | *"\n````');
    expect(page).toContain('| `x` ````"``` \\| *"```` → ``"` end"`` |');
  });
});

describe('as a sequence of messages', () => {
  test('who sends what to whom, when it is sent and when it is gone', () => {
    const { participants, messages, keepsMessages } = sequenceOf(PING);
    expect(participants).toEqual(['a', 'b']);
    expect(messages).toEqual([
      { from: 'a', to: 'b', label: 'ping', sentAt: 2, takenAt: 3 },
      { from: 'b', to: 'a', label: 'pong', sentAt: 3, takenAt: 4 },
      { from: 'a', to: 'b', label: 'ping; <&#>', sentAt: 5, takenAt: null },
    ]);
    expect(keepsMessages).toBe(false);
  });

  test('who takes a step: by its argument, by what changes, by the messages', () => {
    expect(sequenceOf(PING).steps.map(({ state, action, by }) => [state, action, by])).toEqual([
      [2, 'Ask', 'a'],
      [3, 'Answer', 'b'],
      [4, 'Lose(a)', 'a'],
      [5, 'Ask', 'a'],
    ]);
  });

  test.each<[what: string, before: string, after: string]>([
    ['a bag', 'net = ([src |-> a, dst |-> b] :> 1)', 'net = ([src |-> a, dst |-> b] :> 3)'],
    [
      'a channel from one to the other',
      'net = (<<a, b>> :> <<[n |-> 1]>>)',
      'net = (<<a, b>> :> <<[n |-> 1], [n |-> 1], [n |-> 1]>>)',
    ],
    [
      'a channel in a function of functions',
      'net = (a :> (b :> <<[n |-> 1]>>))',
      'net = (a :> (b :> <<[n |-> 1], [n |-> 2], [n |-> 3]>>))',
    ],
    [
      'a sequence',
      'net = <<[sender |-> a, receiver |-> b]>>',
      'net = <<[sender |-> a, receiver |-> b], [sender |-> a, receiver |-> b], [sender |-> a, receiver |-> b]>>',
    ],
  ])('messages in %s', (_, before, after) => {
    const { messages } = sequenceOf(traceOf(before, ['Send', after]));
    expect(messages.map(({ from, to, sentAt }) => [from, to, sentAt])).toEqual([
      ['a', 'b', 1],
      ['a', 'b', 2],
      ['a', 'b', 2],
    ]);
  });

  test('a set that only grows tells of no arrival', () => {
    const sent = traceOf(
      'msgs = {}',
      ['Send', 'msgs = {[from |-> a, to |-> b]}'],
      ['Take', 'msgs = {[from |-> a, to |-> b]}'],
    );
    expect(sequenceOf(sent).keepsMessages).toBe(true);
    expect(printMermaid(sent)).toContain('  p1-)p2: message\n');
  });

  test('fields of other names, and replies the other way', () => {
    const net = (type: string): string => `net = {[type |-> "${type}", follower |-> "B", leader |-> "A"]}`;
    const mapping = { messages: 'net', sender: 'follower', receiver: 'leader', reversed: 'Response' };
    const { messages } = sequenceOf(
      traceOf('net = {}', ['Send', net('Fetch')], ['Reply', net('FetchResponse')]),
      mapping,
    );
    expect(messages.map(({ from, to, label }) => `${from} ${to} ${label}`)).toEqual(['B A Fetch', 'A B FetchResponse']);
  });

  test('without messages: the steps of each process', () => {
    const { participants, steps } = sequenceOf(
      traceOf('pc = (p1 :> 0 @@ p2 :> 0)', ['Go', 'pc = (p1 :> 0 @@ p2 :> 1)']),
    );
    expect(participants).toEqual(['p1', 'p2']);
    expect(steps[0]?.by).toBe('p2');
    expect(sequenceOf(traceOf('x = 0', ['Up', 'x = 1'])).participants).toEqual(['specification']);
  });

  test('a mapping that does not fit is told', () => {
    expect(() => sequenceOf(PING, { messages: 'network' })).toThrow(
      'expected one of the variables net, seen, found network. Name the variable that holds the messages.',
    );
    expect(() => sequenceOf(PING, { messages: 'seen' })).toThrow(
      /^expected messages in the variable seen, found \(a :> 0 @@ b :> 1\)/,
    );
    expect(() => sequenceOf(PING, { messages: 'net', sender: 'nobody' })).toThrow(TraceError);
  });

  test('in Mermaid', () => {
    expect(printMermaid(PING)).toBe(`sequenceDiagram
  participant p1 as a
  participant p2 as b
  Note over p1: 2 Ask
  p1-)p2: ping
  Note over p2: 3 Answer, takes ping of a
  p2-)p1: pong
  Note over p1: 4 Lose(a), takes pong of b
  Note over p1: 5 Ask
  p1-xp2: ping#59; #60;&#35;#62; (never arrives)
`);
  });

  test('in SVG: a lifeline each, an arrow each, a cross where nothing arrives, no text that is markup', () => {
    const svg = printSvg(PING, { title: 'a < b' });
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 \d+ \d+"/);
    expect(svg).toContain('<title>a &#60; b</title>');
    expect(svg.match(/class="life"/g)).toHaveLength(2);
    expect(svg.match(/class="message"/g)).toHaveLength(2);
    expect(svg.match(/<line class="lost"/g)).toHaveLength(1);
    expect(svg).toContain('>ping; &#60;&#38;#&#62;</text>');
    expect(svg.match(/class="step"/g)).toHaveLength(4);
    expect(svg).not.toMatch(/NaN|undefined/);
  });
});

describe('as a TLA+ module', () => {
  test('its only behaviour is the trace, its steps have their names', () => {
    const { module, config } = printTlaModule({ ...PING, meta: { property: 'P' } }, 'Ping');
    expect(module).toContain(
      '---- MODULE Ping ----\n\\* property: P\nEXTENDS Integers, Sequences, TLC\n\nCONSTANTS a, b\n',
    );
    expect(module).toContain(
      'Ask ==\n  \\/ tracePosition = 1 /\\ TraceStep(2)\n  \\/ tracePosition = 4 /\\ TraceStep(5)\n',
    );
    expect(module).toContain('TraceNext == Ask \\/ Answer \\/ Lose\n');
    expect(config).toBe(
      'CONSTANT a = a\nCONSTANT b = b\nSPECIFICATION TraceSpec\nINVARIANT TraceEnds\nCHECK_DEADLOCK FALSE\n',
    );
  });

  test('names that are taken, or none in TLA+, are changed, and that is said', () => {
    const odd: Trace = {
      vars: ['m::x', 'TraceStates', 'IF', 'Len'],
      states: [
        new Map<string, Value>([
          ['m::x', int(1)],
          ['TraceStates', int(2)],
          ['IF', model('Next')],
          ['Len', model('Nat')],
        ]),
      ],
      actions: [null],
      meta: {},
    };
    const { module } = printTlaModule(odd, 'Odd');
    expect(module).toContain(
      '\\* m_x is the variable m::x.\n\\* v_IF is the variable IF.\n\\* Len_ is the variable Len.\n',
    );
    expect(module).toContain('CONSTANTS Next\n\nVARIABLES tracePosition, m_x, TraceStates, v_IF, Len_\n');
    expect(module).toContain('TraceStates_ == <<');
  });

  test.each<[what: string, value: Value, message: RegExp]>([
    [
      'an expression that TLC did not evaluate',
      parse('[x \\in Nat |-> <expression line 1>]'),
      /^expected a value that TLA\+ can write, found x = \[x \\in Nat/,
    ],
    [
      'letters that TLC does not read',
      str('日本'),
      /^expected Latin letters, the only ones that TLC reads, found "日"/,
    ],
  ])('%s cannot be written', (_, value, message) => {
    const trace: Trace = { vars: ['x'], states: [new Map([['x', value]])], actions: [null], meta: {} };
    expect(() => printTlaModule(trace, 'M')).toThrow(message);
    expect(() => printTlaModule(trace, '1')).toThrow('expected a name that TLA+ takes for a module, found 1.');
  });
});

describe('as a TLA+ module, model values', () => {
  const constants = (...states: string[]): string[] => {
    const [first = '', ...more] = states;
    const { module } = printTlaModule(
      traceOf(first, ...more.map((state) => ['Next', state] as [string, string])),
      'Written',
    );
    return /^CONSTANTS (.*)$/m.exec(module)?.[1]?.split(', ') ?? [];
  };

  test('in a set that TLC did not list are constants, fields and operators not', () => {
    expect(constants('x = SUBSET {a, b, c, d, e, f, g}')).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    expect(constants('x = [{a, b} -> Nat]', 'x = [f: Int, g: {m1, "m2"}]', 'x = Seq({n} \\cup STRING)')).toEqual([
      ...['a', 'b', 'm1', 'n'],
    ]);
  });

  test('with the names of the module itself make it take others', () => {
    const { module } = printTlaModule(traceOf('x = {to, TraceInit, TraceNext}'), 'Written');
    expect(module).toContain("\nTraceStep(to_) == tracePosition' = to_ /\\ x' = TraceStates[to_].x\n");
    expect(module).toContain('\nTraceSpec == TraceInit_ /\\ [][TraceNext_]_<<tracePosition, x>>');
  });

  test.each<[Value, string]>([
    [model('Head'), 'expected model values that the standard modules leave free, found Head. Rename it.'],
    [model('foo bar'), 'expected a value that TLA+ can write, found x = foo bar. TLC did not evaluate it.'],
    [model('é'), 'expected names in ASCII, the only ones that TLC reads, found "é". Look at the variable x.'],
  ])('that TLC would not read are refused: %#', (value, message) => {
    const trace: Trace = { vars: ['x'], states: [new Map([['x', value]])], actions: [null], meta: {} };
    expect(() => printTlaModule(trace, 'Written')).toThrow(message);
  });

  test.each(['Integers', 'Naturals', 'Sequences', 'FiniteSets', 'TLC'])('%s would be extended by itself', (name) => {
    expect(() => printTlaModule(COUNTER, name)).toThrow(
      `expected a name that no standard module has, found ${name}. Give another name.`,
    );
  });

  test('the name of a variable ends no comment', () => {
    const trace: Trace = { vars: ['a\n===='], states: [new Map([['a\n====', int(1)]])], actions: [null], meta: {} };
    expect(printTlaModule(trace, 'Written').module).toContain('\n\\* a_ is the variable a ====.\n');
  });
});

// More than a call may have arguments.
test('a trace of very many states is written, and a text of very many marks', () => {
  const state = parseState('x = 0');
  const states = Array.from({ length: 130_000 }, () => state);
  const trace: Trace = { vars: ['x'], states, actions: states.map(() => null), meta: {} };
  expect(printTlaModule(trace, 'Long').module).toContain('\\/ tracePosition = 129999 /\\ TraceStep(130000)\n');
  expect(printSvg(trace)).toContain('>130000</text>');
  const marks = parseState(`x = "${'` '.repeat(130_000)}"`);
  expect(printMarkdown({ vars: ['x'], states: [marks], actions: [null], meta: {} })).toContain('\n```tla\n');
});

describe('from -dumpTrace json of later releases', () => {
  const state = (number: number, x: number): string => `[${number},{"x":${x},"s":[1,2]}]`;
  const location = '{"beginLine":7,"beginColumn":1,"endLine":7,"endColumn":9,"module":"M"}';
  const step = (from: string, name: string, to: string, more = ''): string =>
    `[${from},{"name":"${name}","location":${location}${more}},${to}]`;

  test('a list of states, as the first releases wrote it', () => {
    const trace = parseTlcJson('[{"x":0,"f":{"0":"white"}},{"x":-1,"f":{"0":"black"}}]');
    expect(trace.states[1]).toEqual(parseState('/\\ x = -1 /\\ f = ("0" :> "black")'));
    expect(trace.actions).toEqual([null, null]);
    expect(trace.meta.lost).toMatch(/^A set reads as a sequence/);
  });

  test('a graph, with actions and their arguments', () => {
    const args = ',"context":{"n":[1],"m":"r1"},"parameters":["m","n"]';
    const json = `{"counterexample":{"action":[${step(state(1, 0), 'Up', state(2, 1), args)}],"state":[${state(1, 0)},${state(2, 1)}]},"vars":["x","s"]}`;
    const trace = parseTlcJson(json);
    expect(trace.states[0]).toEqual(parseState('/\\ x = 0 /\\ s = <<1, 2>>'));
    expect(trace.actions[1]).toEqual({
      name: 'Up',
      args: [str('r1'), parse('<<1>>')],
      location: 'line 7, col 1 to line 7, col 9 of module M',
    });
    expect(trace.loop).toBeUndefined();
  });

  test('a last state that is only in the steps is not lost (tlaplus#757)', () => {
    const trace = parseTlcJson(`{"state":[${state(1, 0)}],"action":[${step(state(1, 0), 'Up', state(2, 1))}]}`);
    expect(trace.states).toHaveLength(2);
  });

  test.each([
    ['{"state":[[1,{"x":1}],[1,{"x":[2]}]]}', 'expected state 1 to be the same each time, found another x. '],
    [
      '{"state":[[1,{"x":1}],[2,{"x":{"a":2}}]],"action":[[[1,{"x":1}],{"name":"A"},[2,{"x":{"a":3}}]]]}',
      'expected state 2 to be the same each time, found another x.a. ',
    ],
  ])('a state that comes twice is the same one: %#', (text, message) => {
    expect(() => parseTlcJson(text)).toThrow(message);
  });

  test('the step that closes a lasso is in the steps alone (tlaplus#1285)', () => {
    const steps = [step(state(1, 0), 'Up', state(2, 1)), step(state(2, 1), 'Down', state(1, 0))];
    const trace = parseTlcJson(`{"action":[${steps}],"state":[${state(1, 0)},${state(2, 1)}]}`);
    expect([trace.loop, trace.loopAction?.name, trace.actions[1]?.name]).toEqual([0, 'Down', 'Up']);
    const stuttering = parseTlcJson(
      `{"action":[${step(state(1, 0), 'Stutter', state(1, 0))}],"state":[${state(1, 0)}]}`,
    );
    expect([stuttering.loop, stuttering.loopAction]).toEqual([0, undefined]);
  });

  test.each([
    ['{"counterexample":3}', 'counterexample: expected an object, found 3.'],
    ['{"state":[[1]]}', 'state[0]: expected [number of the state, its variables], found a list of 1.'],
    ['{"state":[[2,{"x":1}]]}', 'expected the states 1 to 1, found no state 1.'],
    ['[]', 'expected at least one state, found none.'],
    ['[{"#meta":{},"x":1}]', 'expected names of variables, found "#meta".'],
    ['[{"x":1},{"y":1}]', 'expected the variables x in state 2, found y.'],
    ['[{"x":1.5}]', '["state 1"].x: expected a value, found 1.5.'],
    ['{"state":[[1,{"x":1}]],"action":[[1,2]]}', 'action[0]: expected [state, action, state], found a list of 2.'],
    ['[{"x":', 'f.json: the file is cut: it ends inside [0].x (line 1, column 7).'],
    ['3', "expected an object, found 3. TLC's -dumpTrace json writes one JSON object, or a list of states."],
  ])('%s is told with its place', (text, message) => {
    expect(() => parseTlcJson(text, { file: 'f.json' })).toThrow(TraceError);
    expect(() => parseTlcJson(text, { file: 'f.json' })).toThrow(message);
  });
});
