/** The cases of section B in the project's list, each from a public issue; raw output of TLC 2.18 in fixtures/tlc. */
import { describe, expect, test } from 'vitest';
import { model, str } from '../../src/tla/index.ts';
import { parseTlcOutput } from '../../src/tlc/index.ts';
import { expectKind, fixture, message, names, outcomeOf, reportOf, state } from './support.ts';

describe('verdicts', () => {
  test('T01 modelator-py#55: an invariant false in the initial state has a trace of that one state', () => {
    const outcome = outcomeOf('t01-init-violation/Depth0', 'invariant');
    expect(outcome.name).toBe('HwBelowLeo');
    expect(outcome.initial).toBe(true);
    expect(outcome.trace.states).toEqual([state('/\\ leo = 0\n/\\ hw = 1')]);
    expect(names(outcome.trace)).toEqual([null]);
    expect(reportOf('t01-init-violation/Depth0').durationMs).toBe(8317);
  });

  test('T03 tlaplus#871: stuttering at the end is a loop to the last state, not a third state or an action', () => {
    const outcome = outcomeOf('t03-stutter/Idle', 'temporal');
    expect(outcome.trace.states).toEqual([state('/\\ noise = {}\n/\\ x = 0'), state('/\\ noise = {}\n/\\ x = 1')]);
    expect(names(outcome.trace)).toEqual([null, 'Step']);
    expect(outcome.trace.loop).toBe(1);
    expect(outcome.trace.loopAction).toBeUndefined();
    expect(outcome.hint).toBeNull();
  });

  test.each(['Wrap', 'WrapB'])('T05 tlaplus#1051: %s reads the same whether the printer wraps lines or not', (name) => {
    const { trace } = outcomeOf(`t05-wrap/${name}`, 'invariant');
    const replicas = trace.states[0]!.get(name === 'Wrap' ? 'replica_state' : 'replicas');
    if (replicas?.kind !== 'function') throw new Error('no function');
    expect(replicas.entries.map(([key]) => key)).toEqual([model('r1'), model('r2'), model('r3')]);
    for (const [, record] of replicas.entries) {
      if (record.kind !== 'record') throw new Error('no record');
      expect(record.fields.size).toBe(name === 'Wrap' ? 5 : 6);
      if (name === 'WrapB') expect(record.fields.get('note')).toEqual(str('text, with [brackets] and <<angles>>'));
    }
    expect(trace.states.length).toBe(name === 'Wrap' ? 3 : 2);
    expect(
      names(trace)
        .slice(1)
        .every((action) => action === 'Next'),
    ).toBe(true);
  });

  test.each([
    ['t13-exit/ok', 0, 'success'],
    ['t13-exit/Asm', 10, 'assumption'],
    ['t13-exit/deadlock', 11, 'deadlock'],
    ['t01-init-violation/Depth0', 12, 'invariant'],
    ['t13-exit/actionprop', 13, 'actionProperty'],
    ['t03-stutter/Idle', 13, 'temporal'],
    ['t13-exit/assert', 14, 'assertion'],
    ['t13-exit/eval', 75, 'evaluation'],
    ['t13-exit/partial', 75, 'incompleteNext'],
    ['t30-jvm/oom', 75, 'outOfMemory'],
    ['t13-exit/inveval', 76, 'evaluation'],
    ['t12-sany/Syn', 150, 'parse'],
    ['t13-exit/noconst', 151, 'config'],
    ['t13-exit/badinv', 151, 'config'],
    ['t13-exit/overflow', 255, 'evaluation'],
    ['t13-exit/nofile', 255, 'config'],
    ['t14-badopt/badopt', 1, 'usage'],
    ['t30-jvm/term', 143, 'cancelled'],
  ])('T09 tlaplus#277, #1041: %s with exit code %i is %s', (name, exitCode, kind) => {
    const report = reportOf(name);
    expect(report.exitCode).toBe(exitCode);
    expect(report.outcome.kind).toBe(kind);
  });

  test('T09: the outputs that have an end need no exit code for their verdict', () => {
    for (const name of [
      'ok',
      'Asm',
      'deadlock',
      'actionprop',
      'assert',
      'eval',
      'partial',
      'inveval',
      'noconst',
      'overflow',
      'nofile',
    ]) {
      const { output, exitCode } = fixture(`t13-exit/${name}`);
      expect(parseTlcOutput(output, null).outcome).toEqual(parseTlcOutput(output, exitCode).outcome);
    }
  });

  test('T09: each of them says what it is about', () => {
    const assumption = outcomeOf('t13-exit/Asm', 'assumption');
    expect(assumption.location).toEqual({ module: 'Asm', line: 3, column: 8, endLine: 3, endColumn: 12 });

    const mono = outcomeOf('t13-exit/actionprop', 'actionProperty');
    expect([mono.name, mono.initial, mono.trace.loop]).toEqual(['Mono', false, undefined]);
    expect(mono.trace.states).toEqual([
      state('/\\ x = 0 /\\ y = 0'),
      state('/\\ x = 1 /\\ y = 0'),
      state('/\\ x = 0 /\\ y = 0'),
    ]);

    const assertion = outcomeOf('t13-exit/assert', 'assertion');
    expect(assertion.message).toBe('x too big: "2"');
    expect(assertion.callStack.length).toBe(5);
    expect(assertion.callStack[4]).toEqual({ module: 'Ex', line: 8, column: 39, endLine: 8, endColumn: 71 });
    expect(assertion.trace?.states.at(-1)).toEqual(state('/\\ x = 2 /\\ y = 0'));

    const evaluation = outcomeOf('t13-exit/eval', 'evaluation');
    expect(evaluation.message).toBe('Attempted to apply tuple\n<<1>>\nto integer 5 which is out of domain.');
    expect(evaluation.callStack).toEqual([{ module: 'Ex', line: 9, column: 46, endLine: 9, endColumn: 50 }]);
    expect(names(evaluation.trace!)).toEqual([null, 'NextEval', 'NextEval']);

    const overflow = outcomeOf('t13-exit/overflow', 'evaluation');
    expect(overflow.message).toBe('Overflow when computing 1073741824*1073741823');
    expect(overflow.code).toBe(2178);
    expect(overflow.trace?.states.length).toBe(2);

    const invariant = outcomeOf('t13-exit/inveval', 'evaluation');
    expect(invariant.message).toBe(
      'Evaluating invariant InvEval failed.\nAttempted to check equality of integer 2 with non-integer:\n"s"',
    );
    expect(invariant.trace?.states.length).toBe(3);

    expect(outcomeOf('t13-exit/nofile', 'config')).toMatchObject({
      code: 5001,
      message: expect.stringContaining('NoFile.cfg'),
    });
    expect(outcomeOf('t13-exit/noconst', 'config').message).toBe(
      'The constant parameter N is not assigned a value by the configuration file.',
    );
  });

  test('T09: a step that leaves a variable without a value shows no value for it', () => {
    const outcome = outcomeOf('t13-exit/partial', 'incompleteNext');
    expect(outcome.variables).toEqual(['y']);
    expect(outcome.trace?.states).toEqual([state('/\\ x = 0 /\\ y = 0')]);
    expect(outcome.partialState).toEqual(state('x = 1'));
    expect(outcome.action?.name).toBe('NextPartial');
  });
});

describe('errors of the specification', () => {
  test('T10 vscode-tlaplus#9, #258: a parse error has its place', () => {
    expect(outcomeOf('t12-sany/Syn', 'parse').errors).toEqual([
      {
        message: 'Encountered "Beginning of definition" at line 4, column 16 and token "IF"',
        module: 'Syn',
        line: 4,
        column: 16,
      },
    ]);
  });

  test('T10 vscode-tlaplus#183: two semantic errors are two, each with its stretch', () => {
    expect(outcomeOf('t12-sany/Unk', 'parse').errors).toEqual([
      { message: "Unknown operator: `undefinedThing'.", module: 'Unk', line: 4, column: 13, endLine: 4, endColumn: 26 },
      { message: "Unknown operator: `alsoMissing'.", module: 'Unk', line: 4, column: 31, endLine: 4, endColumn: 41 },
    ]);
  });

  test('T10 tlaplus#145: a missing module has no place', () => {
    expect(outcomeOf('t12-sany/Sem', 'parse').errors).toEqual([
      { message: 'Cannot find source file for module NoSuchModule imported in module Sem.' },
    ]);
  });

  test('T14 tlaplus#1003: a lexical error has its place', () => {
    const [error, ...more] = outcomeOf('t16-unicode/utf8', 'parse').errors;
    expect(more).toEqual([]);
    expect(error).toMatchObject({
      module: 'Uni',
      line: 5,
      column: 16,
      message: expect.stringContaining('Encountered: "\\u672c"'),
    });
  });
});

describe('numbers, texts and places', () => {
  test.each(['en', 'de', 'ru'])('T13 vscode-tlaplus#229: counts of a JVM that speaks %s', (language) => {
    const { output, exitCode } = fixture(`t15-locale/${language}`);
    const withoutTotals = output.toString('utf8').replace(/@!@!@STARTMSG 2199.*?ENDMSG 2199 @!@!@\n/s, '');
    for (const text of [output.toString('utf8'), withoutTotals]) {
      const { statistics } = parseTlcOutput(text, exitCode);
      expect(statistics).toEqual({ generated: 5001, distinct: 2500, queueLeft: 0, depth: 99, initial: 1 });
    }
  });

  test('T13: coverage', () => {
    const { coverage } = reportOf('t15-locale/en');
    const at = (line: number, column: number, endColumn: number) => ({
      module: 'Loc',
      line,
      column,
      endLine: line,
      endColumn,
    });
    expect(coverage.length).toBe(6);
    expect(coverage[0]).toEqual({
      kind: 'init',
      name: 'Init',
      location: at(4, 1, 4),
      part: null,
      nesting: 0,
      distinct: 1,
      count: 1,
      cost: null,
    });
    expect(coverage[2]).toEqual({
      kind: 'next',
      name: 'Next',
      location: at(5, 1, 4),
      part: at(5, 10, 36),
      nesting: 0,
      distinct: 49,
      count: 2500,
      cost: null,
    });
    expect(coverage[3]).toEqual({
      kind: 'expression',
      name: null,
      location: at(5, 10, 36),
      part: null,
      nesting: 0,
      distinct: null,
      count: 2500,
      cost: null,
    });
  });

  test.each(['lat-default', 'lat-utf8'])('T14 tlaplus#1076: Latin letters of %s', (name) => {
    const { output } = fixture(`t16-unicode/${name}`);
    const { outcome } = parseTlcOutput(output, 12);
    expect(expectKind(outcome, 'invariant').trace.states).toEqual([state('s = "é"'), state('s = "naïve ok"')]);
  });

  test('T14 tlaplus#1082: what an ASCII JVM leaves of other letters still reads', () => {
    const { trace } = outcomeOf('t16-unicode/ascii', 'invariant');
    expect(trace.states[1]).toEqual(state('s = "?????????ok"'));
  });

  test('T15 vscode-tlaplus#255: -difftrace gives whole states again', () => {
    const short = outcomeOf('t17-difftrace/Diff', 'invariant').trace;
    const full = outcomeOf('t17-difftrace/full', 'invariant').trace;
    expect(short).toEqual(full);
    expect(short.states[2]).toEqual(state('/\\ epoch = 1 /\\ isr = {"b2"} /\\ leader = "b2" /\\ tick = 2'));
  });

  test('T15: also in a lasso, whose last state is not complete', () => {
    const { trace } = outcomeOf('t17-difftrace/DiffLasso', 'temporal');
    expect(trace.states[2]).toEqual(state('/\\ a = 2 /\\ b = 7 /\\ c = {}'));
    expect(trace.loop).toBe(1);
    expect(trace.loopAction?.name).toBe('Loop');
    expect(names(trace)).toEqual([null, 'Go', 'Go']);
  });

  test('T17 tlaplus#121: what the spec prints is kept apart, also what it prints again inside the trace', () => {
    const report = reportOf('t19-prints/Noise');
    const { trace } = expectKind(report.outcome, 'invariant');
    expect(trace.states).toEqual([state('x = 0'), state('x = 1'), state('x = 2')]);
    const marker = '"@!@!@STARTMSG 2217:4 @!@!@"';
    const fake = (a: number) => `[a |-> ${a}, b |-> <<"1: <Initial predicate>", "/\\\\ x = 99">>]`;
    expect(report.userOutput).toEqual([
      '"assume-time output"',
      '<<"init", 0>>',
      ...[marker, fake(0), marker, fake(1)],
      '<<"init", 0>>',
      ...[marker, fake(0), marker, fake(1)],
    ]);
  });

  test('T21: a folder called "a b (c)"', () => {
    for (const name of ['abs', 'rel']) expect(outcomeOf(`t31-path/${name}`, 'invariant').name).toBe('HwBelowLeo');
  });
});

describe('liveness and names', () => {
  test('T18 tlaplus#1174, #641: INIT/NEXT with a PROPERTY: no name is known, and there is no fairness', () => {
    const outcome = outcomeOf('t33-initnext-prop/InitNext', 'temporal');
    expect(outcome.names).toBeNull();
    expect(outcome.trace.states).toEqual([state('x = 0')]);
    expect(outcome.trace.loop).toBe(0);
    expect(outcome.hint).toMatch(/^No fairness is assumed/);
  });

  test('T18: the configuration tells it too, when the trace does not', () => {
    const { output } = fixture('t03-stutter/Idle');
    expect(expectKind(parseTlcOutput(output, 13, { initNext: true }).outcome, 'temporal').hint).toMatch(/^No fairness/);
  });

  test.each([
    ['Temporal properties were violated.\n', null],
    ['Temporal property P was violated.\n', ['P']],
    ['Temporal properties P and Q were violated.\n', ['P', 'Q']],
    ['Temporal properties P, and Q were violated.\n', ['P', 'Q']],
    ['Temporal properties P, Q, and R!Live were violated.\n', ['P', 'Q', 'R!Live']],
  ])('T18 tlaplus#225: %s', (text, expected) => {
    const output = fixture('t03-stutter/Idle')
      .output.toString('utf8')
      .replace('Temporal properties were violated.\n', text);
    expect(expectKind(parseTlcOutput(output, 13).outcome, 'temporal').names).toEqual(expected);
  });

  test('T18: the hint of a later release is passed on', () => {
    const text =
      'The stuttering counterexample above may be caused by the absence of a behavior specification (SPECIFICATION).';
    const output = fixture('t03-stutter/Idle').output.toString('utf8');
    const later = output.replace('@!@!@STARTMSG 2267', `${message(2257, 3, text)}@!@!@STARTMSG 2267`);
    const report = parseTlcOutput(later, 13);
    expect(expectKind(report.outcome, 'temporal').hint).toBe(text);
    expect(report.warnings).toEqual([{ code: 2257, message: text }]);
  });

  test('T22 tlaplus#853: an action without printed arguments has unknown ones', () => {
    const { trace } = outcomeOf('t26-params/Par', 'invariant');
    expect(names(trace)).toEqual([null, 'Append', 'Append', 'Append']);
    expect(trace.actions[1]).toEqual({ name: 'Append', location: 'line 7, col 17 to line 7, col 62 of module Par' });
    expect(trace.states[3]).toEqual(state('leo = (b1 :> 2 @@ b2 :> 1)'));
  });
});

describe('what this jar cannot do, and Java that does not start', () => {
  test.each([
    ['t10-dumptrace/Two1', '-dumpTrace'],
    ['t14-badopt/badopt', '-noGenerateSpecTE'],
  ])('T19 tlaplus#757, #1285: %s', (name, option) => {
    expect(outcomeOf(name, 'usage')).toEqual({
      kind: 'usage',
      option,
      message: `option ${option} is not supported by this jar (TLC 2.18)`,
    });
  });

  test('T19 tlaplus#753: ALIAS is taken for an invariant', () => {
    const outcome = outcomeOf('t21-alias/Ali', 'config');
    expect(outcome.code).toBe(2229);
    expect(outcome.hint).toBe('This jar (TLC 2.18) does not know the keyword ALIAS; use a later release.');
    expect(outcomeOf('t13-exit/badinv', 'config').hint).toBeNull();
  });

  test('T21 tlaplus#682: each failure to start has its cause', () => {
    expect(outcomeOf('t30-jvm/nojar', 'badJar').message).toContain('Could not find or load main class tlc2.TLC');
    expect(outcomeOf('t30-jvm/nomain', 'badJar').problem).toBe('noTlc');
    expect(outcomeOf('t30-jvm/tinyheap', 'toolFailure')).toEqual({
      kind: 'toolFailure',
      cause: 'jvmStart',
      message: 'Error occurred during initialization of VM Too small maximum heap',
    });
    expect(outcomeOf('t30-jvm/oom', 'outOfMemory').message).toBe('java.lang.OutOfMemoryError: Java heap space');
    expect(outcomeOf('t30-jvm/term', 'cancelled')).toEqual({ kind: 'cancelled', by: 'signal', signal: 'SIGTERM' });
  });

  test('T21: a warning of TLC is kept, and is no error', () => {
    const [warning] = reportOf('t31-path/abs').warnings;
    expect(warning?.code).toBe(2401);
  });
});
