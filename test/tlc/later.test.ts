/**
 * Outputs of a later TLC (the sources of tlaplus at commit cc6b616c, on the way to 1.8.0, compiled), of the same specifications as
 * those of 2.18 and of some that 2.18 cannot check. Its texts differ, its codes do not.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { print, printState } from '../../src/tla/index.ts';
import type { TlcOutcome } from '../../src/tlc/index.ts';
import { actionText, parseTlcJson, type Trace } from '../../src/trace/index.ts';
import { expectKind, FIXTURES, names, outcomeOf, reportOf, state } from './support.ts';

const later = <K extends TlcOutcome['kind']>(name: string, kind: K) => outcomeOf(`later/${name}`, kind);

/** Without what only a later release tells: the arguments of actions, the names of properties. */
function known(outcome: TlcOutcome): unknown {
  const { location: _place, trace, ...rest } = outcome as TlcOutcome & { location?: unknown; trace?: Trace };
  const bare = (each: Trace['actions'][number]) => each && { name: each.name, location: each.location };
  return {
    ...rest,
    ...('names' in rest ? { names: null } : {}),
    ...(trace == null
      ? {}
      : { trace: { ...trace, actions: trace.actions.map(bare), loopAction: bare(trace.loopAction ?? null) } }),
  };
}

describe('the same as of 2.18', () => {
  test.each<readonly [folder: string, name: string]>([
    ['t01-init-violation', 'Depth0'],
    ['t03-stutter', 'Idle'],
    ['t05-wrap', 'Wrap'],
    ['t05-wrap', 'WrapB'],
    ['t06-record-keys', 'Keys'],
    ['t07-value-zoo', 'Zoo'],
    ['t12-sany', 'Syn'],
    ['t12-sany', 'Unk'],
    ['t13-exit', 'ok'],
    ['t13-exit', 'Asm'],
    ['t13-exit', 'actionprop'],
    ['t13-exit', 'assert'],
    ['t13-exit', 'badinv'],
    ['t13-exit', 'deadlock'],
    ['t13-exit', 'inveval'],
    ['t13-exit', 'noconst'],
    ['t13-exit', 'overflow'],
    ['t17-difftrace', 'Diff'],
    ['t17-difftrace', 'DiffLasso'],
    ['t19-prints', 'Noise'],
    ['t26-params', 'Par'],
    ['t33-initnext-prop', 'InitNext'],
    ...[
      ...['Abs', 'ActionPropInline', 'AlwaysProp', 'AssertInit', 'AssertInv', 'AssumeEval', 'BadExt', 'CaseNone'],
      ...['CfgBothSpec', 'CfgConst', 'CfgInvPrimed', 'CfgKeyword', 'CfgNoNext', 'CfgPropMissing', 'CfgTwice', 'Choose'],
      ...['CircA', 'CircB', 'ConstraintErr', 'ContinueMany', 'CoverProp', 'DeadlockInit', 'DfidDeadlock', 'ErrInExt'],
      ...[
        'InfiniteInit',
        'InvNonBool',
        'Lasso',
        'LassoDeadlock',
        'LassoDiff',
        'LassoFirst',
        'LevelConst',
        'LiveNonBool',
      ],
      ...['Mixed', 'NoEnd', 'NonBool', 'PrintVal', 'RecursionInit', 'Refine', 'RefineInit', 'SimAction', 'SimDeadlock'],
      ...['SimLive', 'Symmetry', 'TemporalExists', 'TwiceDefined', 'TypeMismatchInv', 'UndefinedPrime', 'WrongArity'],
      'WrongName',
    ].map((name) => ['kinds', name] as const),
  ])('%s/%s', (folder, name) => {
    const [before, after] = [reportOf(`${folder}/${name}`), reportOf(`later/${name}`)];
    expect(after.exitCode).toBe(before.exitCode);
    expect(known(after.outcome)).toEqual(known(before.outcome));
    expect(after.further.map(known)).toEqual(before.further.map(known));
    expect(after.tlcVersion).toMatch(/^\d{4}\.\d\d\.\d\d\.\d+$/);
  });
});

describe('what only a later release tells', () => {
  test('arguments of actions, whatever texts they hold', () => {
    const { trace } = later('Params', 'invariant');
    expect(trace.actions.map(actionText)).toEqual([
      null,
      'Write(n1, [id |-> 1, tags |-> {"x"}])',
      'Note("a > b")',
      'Note("line 1, col 2 to line 3, col 4 of module X>")',
      'Note("x, y")',
      'Note("q\\"uote")',
      'Both({n1, n2}, <<[id |-> 9, tags |-> {}], 2>>)',
    ]);
    expect(trace.actions[1]?.location).toBe('line 7, col 16 to line 7, col 72 of module Params');
    expect(later('Par', 'invariant').trace.actions.map(actionText)).toEqual([
      null,
      'Append(b1, 1)',
      'Append(b1, 1)',
      'Append(b2, 1)',
    ]);
  });

  test('which temporal property is violated', () => {
    expect(later('Idle', 'temporal').names).toEqual(['Live']);
    expect(later('InitNext', 'temporal').hint).toMatch(/fairness|SPECIFICATION/);
  });

  test('a POSTCONDITION that is false, or has no value', () => {
    expect(later('Post', 'assumption')).toEqual({
      kind: 'assumption',
      message: 'Postcondition After at line 6, col 10 to line 6, col 32 of module Post is false.',
      location: { module: 'Post', line: 6, column: 10, endLine: 6, endColumn: 32 },
    });
    const { code, message, trace } = later('PostErr', 'evaluation');
    expect([code, message.split('\n')[1], trace]).toEqual([
      2405,
      'Attempted to check equality of integer 4 with non-integer:',
      null,
    ]);
  });

  test('states in the words of an ALIAS', () => {
    const { trace } = later('Alias', 'invariant');
    expect(trace.states.at(-1)).toEqual(state('/\\ x = 3 /\\ twice = 6 /\\ y = {0, 1, 2}'));
    const ali = later('Ali', 'invariant').trace;
    expect(ali.states.map(printState)).toHaveLength(3);
    expect(ali.vars).toEqual(expect.arrayContaining(['act', 'lvl', 'xPlus']));
  });

  test('its messages for a value out of bounds, and for what is not defined', () => {
    const { message, callStack, trace } = later('eval', 'evaluation');
    expect(message).toBe('Attempted to access index 5 of tuple\n<<1>>\nwhich is out of bounds.');
    expect(callStack).toHaveLength(6);
    expect(callStack.at(-1)).toEqual({ module: 'Ex', line: 9, column: 46, endLine: 9, endColumn: 50 });
    expect(names(trace!)).toEqual([null, 'NextEval', 'NextEval']);
    const partial = later('partial', 'incompleteNext');
    expect([partial.variables, partial.action?.name, partial.trace?.states, partial.partialState]).toEqual([
      ['y'],
      'NextPartial',
      [state('/\\ x = 0 /\\ y = 0')],
      state('x = 1'),
    ]);
    expect(later('Sem', 'parse').errors).toEqual([
      { message: 'Cannot find source file for module NoSuchModule imported in module Sem.', module: 'Sem' },
    ]);
    expect(later('nofile', 'config')).toMatchObject({ code: 5001, message: expect.stringContaining('nofile.cfg') });
    expect(later('badopt', 'usage').option).toBe('-noSuchOption');
    expect(reportOf('later/ok').warnings.map(({ code }) => code)).toEqual([2149]);
  });

  test('an error inside of an operator that is Java, three messages in each other, is one', () => {
    const { outcome, further, exitCode } = reportOf('later/TLCGetUndef');
    const { code, message, trace, callStack } = expectKind(outcome, 'evaluation');
    expect([code, message, further, exitCode]).toEqual([2145, 'TLCGet(4) was undefined.', [], 75]);
    expect([trace?.states, callStack.length]).toEqual([[state('x = 0')], 2]);
  });

  test('-continue after a violation comes to an error of evaluation', () => {
    const { outcome, further } = reportOf('later/ContinueEval');
    expect([outcome.kind, further.map(({ kind }) => kind)]).toEqual(['invariant', ['evaluation']]);
    expect(further[0]).toMatchObject({
      message: 'Attempted to access index 1 of tuple\n<<>>\nwhich is out of bounds.',
    });
  });

  test.each([
    ['CfgEmpty', 'config', 'The configuration file did not specify the initial state predicate.'],
    [
      'CfgPropAction',
      'config',
      'The formula P at line 6, col 6 to line 6, col 11 of module CfgPropAction is an action-level',
    ],
    ['CfgPropFalse', 'config', 'The property of P is equal to FALSE'],
    ['CfgLex', 'config', 'The invariant { specified in the configuration file'],
    ['EnumInf', 'evaluation', 'TLC encountered the non-enumerable quantifier bound'],
    ['SimEval', 'evaluation', 'Attempted to access index 4 of tuple'],
    ['Level', 'evaluation', 'In evaluation, the identifier x is either undefined or not an operator.'],
    ['Recursion', 'evaluation', 'This was a Java StackOverflowError.'],
    ['TwoMissing', 'incompleteNext', 'Successor state is not completely specified by the next-state action.'],
  ])('%s: %s', (name, kind, text) => {
    const { outcome } = reportOf(`later/${name}`);
    expect(outcome).toMatchObject({ kind, message: expect.stringContaining(text) });
  });

  test('errors of the parser where 2.18 has none of its own', () => {
    expect(later('Empty', 'parse').errors).toEqual([
      {
        message:
          'Was expecting "---- MODULE (beginning of module)"\nEncountered "<EOF>" at line 1, column 1 and token ""',
        module: 'Empty',
        line: 1,
        column: 1,
      },
    ]);
    expect(later('NestedModuleErr', 'parse').errors).toEqual([
      expect.objectContaining({ module: 'NestedModuleErr', line: 6, column: 6 }),
    ]);
  });

  test('strings in any script', () => {
    const { trace } = later('uni', 'invariant');
    expect(trace.states).toEqual([state('s = "é"'), state('s = "日本→ok"')]);
  });

  test('what a specification prints, whatever it looks like, is neither a state nor an error', () => {
    const { outcome, userOutput } = reportOf('later/PrintAlias');
    expect(expectKind(outcome, 'invariant').trace.states).toEqual([state('x = 0'), state('x = 1'), state('x = 2')]);
    expect(userOutput).toHaveLength(23);
    expect([...new Set(userOutput)]).toEqual([
      '"State 1: <Initial predicate>"',
      '"2: Stuttering"',
      '[ a |-> "Error: Invariant X is violated.",',
      '  b |-> <<"Back to state 1: <A line 1>", 0>> ]',
      '0',
      '  b |-> <<"Back to state 1: <A line 1>", 1>> ]',
      '1',
    ]);
  });

  test('a temporal property that a finite behaviour breaks, whatever comes after it', () => {
    const { names: properties, trace } = later('Rises', 'temporal');
    expect([properties, trace.loop, trace.states.map(printState)]).toEqual([
      ['Low'],
      undefined,
      ['/\\ n = 0', '/\\ n = 1', '/\\ n = 2', '/\\ n = 3'],
    ]);
  });

  test('the call stack of an error in a temporal formula comes first, and is its own', () => {
    const { outcome, further } = reportOf('later/LiveEval');
    const { callStack, trace } = expectKind(outcome, 'evaluation');
    expect([callStack.length, trace?.states, further]).toEqual([1, [state('n = 0')], []]);
  });

  test('lassos: several properties at a time, in a simulation with -difftrace', () => {
    const several = later('LeadsToC', 'temporal');
    expect([several.names, several.trace.loop, names(several.trace)]).toEqual([
      ['P', 'Q', 'R'],
      2,
      [null, 'Up', 'Up', 'Down'],
    ]);
    const { trace } = later('SimDiff', 'temporal');
    expect([trace.loop, trace.states.length, trace.states[1]]).toEqual([2, 5, state('/\\ x = 1 /\\ q = <<0>>')]);
  });

  test('coverage of variables and costs; -continue', () => {
    const { coverage } = reportOf('later/LiveSmall-cov');
    expect(coverage.filter(({ kind }) => kind === 'variable').map(({ name, count }) => [name, count])).toEqual([
      ['f', 2],
      ['s', 2],
      ['x', 2],
    ]);
    expect(coverage.find(({ name }) => name === 'Go')).toMatchObject({ kind: 'next', distinct: 3, count: 9 });
    expect(coverage.find(({ cost }) => cost !== null)).toMatchObject({ kind: 'expression', count: 3, cost: 6 });
    expect(
      reportOf('later/en')
        .coverage.filter(({ kind }) => kind === 'next')
        .map(({ distinct }) => distinct),
    ).toEqual([49, 2450]);
    const { outcome, further, exitCode } = reportOf('later/LiveSmall-cont');
    expect([outcome.kind, further, exitCode]).toEqual(['invariant', [], 0]);
  });
});

describe('-dumpTrace json', () => {
  const dumped = (name: string): Trace => parseTlcJson(readFileSync(`${FIXTURES}later/${name}.json`, 'utf8'));

  test.each<[name: string, kind: 'invariant' | 'temporal']>([
    ['Live', 'temporal'],
    ['LiveZero', 'invariant'],
    ['LiveTwo', 'invariant'],
    ['Stutter', 'temporal'],
  ])('%s: the same behaviour as in the output, as far as JSON can tell', (name, kind) => {
    const { trace } = expectKind(reportOf(`later/${name}-dump`).outcome, kind);
    const dump = dumped(name);
    expect([dump.states.length, dump.loop, dump.loopAction]).toEqual([
      trace.states.length,
      trace.loop,
      trace.loopAction,
    ]);
    expect(dump.actions).toEqual(trace.actions);
    expect(dump.states.map((each) => each.get('x'))).toEqual(trace.states.map((each) => each.get('x')));
    expect(reportOf(`later/${name}-dump`).userOutput).toEqual([]);
  });

  test('has its variables as they are declared, and arguments of actions', () => {
    expect(dumped('Live').vars).toEqual(['x', 's', 'f']);
    expect(dumped('Params').actions.map(actionText)).toEqual([
      null,
      'Write("n1", [id |-> 1, tags |-> <<"x">>])',
      'Note("a > b")',
      'Note("line 1, col 2 to line 3, col 4 of module X>")',
      'Note("x, y")',
      'Note("q\\"uote")',
      'Both(<<"n1", "n2">>, <<[id |-> 9, tags |-> <<>>], 2>>)',
    ]);
    expect(dumped('Two3').states.map((each) => print(each.get('f')!))).toEqual([
      '<<>>',
      '<<<<"q\\"q", "z">>>>',
      '("2" :> <<"q\\"q", "z">>)',
    ]);
  });
});
