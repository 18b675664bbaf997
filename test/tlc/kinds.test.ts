/** One output of TLC 2.18 for each kind of outcome; fixtures/tlc/kinds has the specifications. */
import { describe, expect, test } from 'vitest';
import { printState } from '../../src/tla/index.ts';
import type { TlcOutcome } from '../../src/tlc/index.ts';
import { expectKind, names, outcomeOf, reportOf, state } from './support.ts';

const kind = <K extends TlcOutcome['kind']>(name: string, expected: K) => outcomeOf(`kinds/${name}`, expected);

/** The values of x, or of the only variable, through the trace. */
function xs(outcome: TlcOutcome): string[] {
  if (!('trace' in outcome) || outcome.trace === null) throw new Error('no trace');
  return outcome.trace.states.map((each) => printState(each).replace(/^\/\\ \w+ = /, ''));
}

describe('violations', () => {
  test('of a temporal property: a lasso names the step that closes it', () => {
    const lasso = kind('Lasso', 'temporal');
    expect([xs(lasso), names(lasso.trace)]).toEqual([
      ['0', '1', '2', '3'],
      [null, 'Up', 'Up', 'Up'],
    ]);
    expect([lasso.trace.loop, lasso.trace.loopAction?.name]).toEqual([1, 'Back']);
    const first = kind('LassoFirst', 'temporal');
    expect([xs(first), first.trace.loop, first.trace.loopAction?.name]).toEqual([['0', '1'], 0, 'Flip']);
  });

  test('of a temporal property: one that ends stutters for ever, and nothing closes it', () => {
    const { trace } = kind('LassoDeadlock', 'temporal');
    expect([trace.states.length, trace.loop, trace.loopAction]).toEqual([4, 3, undefined]);
  });

  test('of a temporal property, with -difftrace: what a step left alone is there', () => {
    const { trace } = kind('LassoDiff', 'temporal');
    expect(trace.states).toEqual([state('/\\ x = 0 /\\ y = {}'), state('/\\ x = 1 /\\ y = {}')]);
    expect(trace.loop).toBe(0);
  });

  test('of a conjunct without a name: its place is data', () => {
    const inline = kind('ActionPropInline', 'actionProperty');
    expect(inline.location).toEqual({ module: 'ActionPropInline', line: 7, column: 17, endLine: 7, endColumn: 28 });
    expect(xs(inline)).toEqual(['0', '1', '2', '0']);
    expect(kind('Refine', 'actionProperty').location).toMatchObject({ module: 'Abs', line: 6 });
  });

  test('of a refinement by the first state, and of [](x < 3), which TLC checks as an invariant', () => {
    const init = kind('RefineInit', 'actionProperty');
    expect([init.name, init.initial, xs(init)]).toEqual(['Init', true, ['7']]);
    expect(init.location).toBeUndefined();
    const always = kind('AlwaysProp', 'invariant');
    expect([always.name, xs(always)]).toEqual(['P', ['0', '1', '2', '3']]);
  });

  test('a deadlock in the first state, in a simulation and in a depth-first search', () => {
    expect(xs(kind('DeadlockInit', 'deadlock'))).toEqual(['0']);
    expect(xs(kind('SimDeadlock', 'deadlock'))).toEqual(['0', '1', '2', '3']);
    expect(names(kind('DfidDeadlock', 'deadlock').trace)).toEqual([null, null, null, null]);
  });

  test('of an action property and a temporal one in a simulation', () => {
    expect(xs(kind('SimAction', 'actionProperty'))).toEqual(['0', '1', '2', '3']);
    expect(kind('SimLive', 'temporal').trace.loop).toBe(0);
  });

  test('four in one run with -continue, each with its own trace', () => {
    const { outcome, further } = reportOf('kinds/ContinueMany');
    const all = [outcome, ...further];
    expect(all.map((each) => [each.kind, 'name' in each ? each.name : null])).toEqual([
      ['invariant', 'A'],
      ['invariant', 'B'],
      ['invariant', 'C'],
      ['deadlock', null],
    ]);
    expect(all.map((each) => xs(each).at(-1))).toEqual(['1', '2', '3', '4']);
  });

  test('an error of evaluation after a violation, with -continue: TLC prints its behaviour more than once', () => {
    const [error] = reportOf('kinds/ContinueEval').further;
    expect(xs(expectKind(error!, 'evaluation'))).toEqual(['0', '1', '2']);
    expect(xs(kind('ContinueEval', 'invariant'))).toEqual(['0', '1']);
  });
});

describe('expressions without a value', () => {
  test.each<[name: string, code: number, firstLine: string, states: string[] | null]>([
    ['Choose', 1000, 'Attempted to compute the value of an expression of form', ['0']],
    ['CaseNone', 1000, 'Attempted to evaluate a CASE with no conditions true.', ['0']],
    ['NonBool', 2247, 'In computing next states, TLC expected a boolean expression,', ['0']],
    [
      'UndefinedPrime',
      2280,
      'In evaluation, the identifier y is either undefined or not an operator.',
      ['0\n/\\ y = 0'],
    ],
    [
      'InvNonBool',
      2215,
      'TLC expected a boolean value, but did not find one. line 6, col 8 to line 6, col 12 of module InvNonBool',
      ['0'],
    ],
    ['ConstraintErr', 2266, 'The second argument of < should be an integer, but instead it is:', null],
    ['InfiniteInit', 1000, 'In computing initial states, the right side of \\IN is not enumerable.', null],
    ['EnumInf', 1000, 'TLC encountered a non-enumerable quantifier bound', ['0']],
    ['TLCGetUndef', 2145, 'TLCGet(4) was undefined.', ['0']],
    ['Mixed', 2266, 'The first argument of < should be an integer, but instead it is:', ['0', '"a"']],
    [
      'TypeMismatchInv',
      2266,
      'The first argument of < should be an integer, but instead it is:',
      ['0', '1', '2', '"s"'],
    ],
    ['SimEval', 1000, 'Attempted to apply tuple', ['0', '1', '2', '3']],
    ['RecursionInit', 1000, 'This was a Java StackOverflowError. It was probably the result', null],
    ['AssumeEval', 2105, 'Evaluating assumption line 4, col 8 to line 4, col 14 of module AssumeEval failed.', null],
    ['LiveNonBool', 2250, 'A state predicate was evaluated to a non-boolean value.', ['0']],
    [
      'TemporalExists',
      2213,
      'TLC cannot handle the temporal formula line 7, col 6 to line 7, col 18 of module TemporalExists',
      null,
    ],
  ])('%s (code %i)', (name, code, firstLine, states) => {
    const outcome = kind(name, 'evaluation');
    expect([outcome.code, outcome.message.split('\n')[0]]).toEqual([code, firstLine]);
    if (states !== null) expect(xs(outcome)).toEqual(states);
    else expect(outcome.trace).toBeNull();
  });

  test('the exit code says nothing: LiveNonBool ends with 0', () => {
    expect(reportOf('kinds/LiveNonBool').exitCode).toBe(0);
  });

  test('an assertion in the initial predicate, and in an invariant', () => {
    const init = kind('AssertInit', 'assertion');
    expect([init.message, init.callStack.length, init.trace]).toEqual(['<<"bad", 0>>', 3, null]);
    const invariant = kind('AssertInv', 'assertion');
    expect([invariant.message, xs(invariant)]).toEqual(['too "big"', ['0', '1', '2']]);
  });

  test('an initial state that cannot be fingerprinted is one error, though TLC says twice what it is', () => {
    for (const name of ['kinds/NoPrint', 'later/NoPrint']) {
      const { outcome, further } = reportOf(name);
      expect(outcome).toMatchObject({ kind: 'evaluation', code: 2178 });
      expect(expectKind(outcome, 'evaluation').trace?.states).toHaveLength(1);
      expect(further).toEqual([]);
    }
  });

  test('two variables without a value', () => {
    const outcome = kind('TwoMissing', 'incompleteNext');
    expect([outcome.variables, outcome.partialState, outcome.action?.name]).toEqual([
      ['y', 'z'],
      state('x = 1'),
      'Next',
    ]);
  });
});

describe('the specification and its configuration', () => {
  test.each<[name: string, message: string, place: [module: string, line: number, column: number] | null]>([
    [
      'NoEnd',
      'Was expecting "==== or more Module body"\nEncountered "<EOF>" at line 4, column 15 and token "x"',
      ['NoEnd', 4, 15],
    ],
    [
      'Empty',
      'Parsing or semantic analysis failed. Module-Table lookup failure for module name Empty derived from Empty file name.',
      null,
    ],
    ['WrongName', "File name 'WrongName' does not match the name 'Other' of the top level module it contains.", null],
    [
      'LevelConst',
      'Level error: assumptions must be level 0 (Constant), \nbut this one has level 1.',
      ['LevelConst', 5, 1],
    ],
    ['TwiceDefined', 'Operator Init already defined or declared.', ['TwiceDefined', 5, 1]],
    ['WrongArity', 'The operator F requires 1 arguments.', ['WrongArity', 5, 14]],
    [
      'CircA',
      'Circular dependency among .tla files; dependency cycle is:\n\n  CircA.tla --> CircB.tla --> CircA.tla',
      null,
    ],
    [
      'ErrInExt',
      'Was expecting "Expression or Instance"\nEncountered "]" at line 2, column 6 and token "=="',
      ['BadExt', 2, 6],
    ],
  ])('%s does not parse', (name, message, place) => {
    const [module, line, column] = place ?? [];
    const { errors } = kind(name, 'parse');
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ message, ...(place === null ? {} : { module, line, column }) });
    if (place === null) expect(errors[0]).not.toHaveProperty('line');
  });

  test.each([
    ['CfgBothSpec', 2227, 'The configuration file cannot specify both INIT/NEXT and SPECIFICATION fields.'],
    ['CfgNoNext', 2115, 'No next state actions defined to generate successor states from.'],
    ['CfgEmpty', 2231, 'The configuration file did not specify the initial state predicate.'],
    ['CfgKeyword', 5006, 'TLC found an error in the configuration file at line 3'],
    ['CfgConst', 2224, 'The configuration file substitutes for N with the undefined identifier Missing.'],
    ['CfgTwice', 5004, 'TLC found an error in the configuration file at line 3'],
    ['CfgPropMissing', 2229, 'The property Nope specified in the configuration file'],
    ['CfgInvPrimed', 2146, 'The invariant Inv is not a state predicate (one with no primes or temporal operators).'],
    ['CfgPropAction', 2241, 'The property P is not correctly defined.'],
  ])('%s: code %i', (name, code, firstLine) => {
    const outcome = kind(name, 'config');
    expect([outcome.code, outcome.message.split('\n')[0]]).toEqual([code, firstLine]);
  });

  test('symmetry with liveness is a success with a warning', () => {
    const { outcome, warnings } = reportOf('kinds/Symmetry');
    expect(outcome).toEqual({ kind: 'success', exhaustive: true });
    expect(warnings.map(({ code }) => code)).toEqual([2279]);
  });
});

describe("TLC's own files", () => {
  test('a folder that cannot be made, before TLC starts', () => {
    expect(kind('MetaFile', 'toolFailure')).toEqual({
      kind: 'toolFailure',
      cause: 'metadir',
      message:
        'TLC could not make a directory /tmp/specs/metafile/26-11-29-18-19-10 for the disk files it needs to write.',
    });
  });

  test('a full disk is no error of the specification, though TLC words it as one', () => {
    const { outcome, statistics, exitCode } = reportOf('kinds/Full');
    expect(outcome).toEqual({
      kind: 'toolFailure',
      cause: 'diskFull',
      message: 'java.io.IOException: No space left on device',
    });
    expect([exitCode, statistics.distinct]).toEqual([255, 161_950]);
  });

  test('a disk that is full from the start: SANY then misses the standard modules, which is no error in the specification', () => {
    expect(kind('FullAtOnce', 'toolFailure')).toEqual({
      kind: 'toolFailure',
      cause: 'diskFull',
      message: 'java.io.IOException: No space left on device',
    });
  });

  test('a checkpoint that is not there', () => {
    expect(kind('Recover', 'toolFailure')).toMatchObject({ cause: 'system', message: /vars\.chkpt/ });
  });
});

describe('what comes beside the verdict', () => {
  test('coverage: actions with counts, unnamed disjuncts with their place, the expressions inside', () => {
    const { coverage } = reportOf('kinds/CoverProp');
    const actions = coverage.filter((item) => item.kind !== 'expression');
    expect(
      actions.map(({ kind, name, distinct, count, part }) => [kind, name, distinct, count, part?.column ?? null]),
    ).toEqual([
      ['init', 'Init', 1, 1, null],
      ['next', 'Up', 3, 3, null],
      ['next', 'Down', 0, 3, null],
      ['next', 'Next', 0, 0, 47],
      ['property', 'Inv', null, null, null],
    ]);
    expect(coverage.filter((item) => item.nesting > 0).map(({ count }) => count)).toEqual([4, 8, 8]);
  });

  test('what the specification prints, as it lays it out over lines', () => {
    const { userOutput } = reportOf('kinds/PrintVal');
    expect(userOutput.slice(0, 6)).toEqual([
      '[ a |-> 1..3,',
      '  b |->',
      '      << "a long text to be wrapped",',
      '         "another one that is long",',
      '         "and so on and so on" >> ]',
      '"no newline?"  TRUE',
    ]);
    expect(xs(kind('PrintVal', 'invariant'))).toEqual(['0', '1', '2']);
  });

  test('how likely it is that TLC missed a state', () => {
    expect(reportOf('kinds/CoverProp').collisionProbability).toBe(6.5e-19);
    expect(reportOf('kinds/Lasso').collisionProbability).toBeNull();
  });
});
