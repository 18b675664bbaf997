/** More outputs of TLC 2.18, recorded for this project, and texts of later releases. */
import { describe, expect, test } from 'vitest';
import { parseTlcOutput, type TlcProgress } from '../../src/tlc/index.ts';
import { TlcOutputParser } from '../../src/tlc/parse/parser.ts';
import { expectKind, fixture, message, names, outcomeOf, reportOf, state } from './support.ts';

describe('outcomes', () => {
  test('with -continue, TLC says "No error has been found" and exits with 0 after two violations', () => {
    const report = reportOf('own/continue');
    expect(report.exitCode).toBe(0);
    const first = expectKind(report.outcome, 'invariant');
    expect([first.name, first.initial, first.trace.states]).toEqual(['Small', true, [state('x = 2')]]);
    expect(report.further.length).toBe(1);
    const second = expectKind(report.further[0]!, 'invariant');
    expect([second.name, second.initial, second.trace.states.length]).toEqual(['Small', false, 2]);
  });

  test('an initial predicate without a solution passes every check, with a warning', () => {
    const report = reportOf('own/no-initial-state');
    expect(report.outcome).toEqual({ kind: 'success', exhaustive: true });
    expect(report.warnings).toEqual([
      { code: null, message: 'No state satisfies the initial predicate: every property holds, of nothing.' },
    ]);
  });

  test('a simulation or a bounded search without error is a success that is not exhaustive', () => {
    expect(outcomeOf('own/simulation-without-error', 'success').exhaustive).toBe(false);
    expect(outcomeOf('own/depth-first-bound', 'success').exhaustive).toBe(false);
    expect(reportOf('own/depth-first-bound').statistics).toMatchObject({
      generated: 7,
      distinct: 4,
      initial: 2,
      queueLeft: null,
    });
  });

  test('a message may begin on the line that ends the one before', () => {
    for (const name of ['t01-init-violation/Depth0', 't13-exit/ok', 't13-exit/partial', 'kinds/Lasso']) {
      const { output, exitCode } = fixture(name);
      const joined = output.toString('utf8').replaceAll('@!@!@\n@!@!@STARTMSG', '@!@!@@!@!@STARTMSG');
      expect(joined).not.toBe(output.toString('utf8'));
      expect(parseTlcOutput(joined, exitCode)).toEqual(parseTlcOutput(output, exitCode));
    }
  });

  test('a search that was told to stop before its end is a success that is not exhaustive, whatever TLC says', () => {
    const report = reportOf('own/stopped-early');
    expect(fixture('own/stopped-early').output.toString()).toContain(
      'Model checking completed. No error has been found.',
    );
    expect(report.outcome).toEqual({ kind: 'success', exhaustive: false });
    expect(report.statistics.queueLeft).toBe(1);
    expect(report.warnings).toEqual([
      { code: null, message: 'TLC stopped before its end: it had still to look at 1 of its states.' },
    ]);
  });

  test.each([
    ['The action constraint POSTCONDITION specified', 'POSTCONDITION'],
    ['The invariant _POSSIBLE specified', '_POSSIBLE'],
    ['The property ALIAS specified', 'ALIAS'],
  ])('%s …: a keyword of later releases, taken for a name', (start, keyword) => {
    const text = `${start} in the configuration file\nis not defined in the specification.`;
    const { outcome } = parseTlcOutput(message(2229, 1, text) + message(2186, 0, 'Finished in 5ms at (x)'), 151);
    expect(expectKind(outcome, 'config').hint).toBe(
      `This jar does not know the keyword ${keyword}; use a later release.`,
    );
  });

  test('an option that does not go with the specification is no error in it', () => {
    expect(outcomeOf('own/DfidLive', 'usage')).toEqual({
      kind: 'usage',
      option: '-dfid',
      message: expect.stringMatching(
        /^Depth-First Iterative Deepening mode does not support checking liveness properties/,
      ),
    });
  });

  test('a simulation that finds an error has a trace as usual; a depth-first search has no names of actions', () => {
    expect(names(outcomeOf('own/simulation-violation', 'invariant').trace).slice(0, 2)).toEqual([null, 'Up']);
    const { trace } = outcomeOf('own/depth-first-violation', 'invariant');
    expect(trace.states.length).toBe(5);
    expect(names(trace)).toEqual([null, null, null, null, null]);
  });

  test('an initial predicate that has no value has a call stack and no trace', () => {
    expect(outcomeOf('own/init-evaluation', 'evaluation')).toEqual({
      kind: 'evaluation',
      code: 1000,
      message: 'Attempted to apply tuple\n<<1>>\nto integer 5 which is out of domain.',
      callStack: [{ module: 'InitEval', line: 4, column: 13, endLine: 4, endColumn: 17 }],
      trace: null,
    });
  });

  test('an invariant that has no value in an initial state shows that state', () => {
    const outcome = outcomeOf('own/invariant-evaluation-in-initial-state', 'evaluation');
    expect(outcome.message).toBe('Attempted to check equality of integer 0 with non-integer:\n"s"');
    expect(outcome.trace?.states).toEqual([state('x = 0')]);
    expect(outcome.callStack.length).toBe(2);
  });

  test('an initial predicate that leaves a variable open', () => {
    const outcome = outcomeOf('own/partial-init', 'incompleteNext');
    expect(outcome.variables).toEqual(['y']);
    expect(outcome.partialState).toEqual(state('x = 0'));
    expect(outcome.trace).toBeNull();
  });

  test('a state predicate as PROPERTY that is false at first', () => {
    const outcome = outcomeOf('own/property-violated-initially', 'actionProperty');
    expect([outcome.name, outcome.initial, outcome.trace.states]).toEqual(['PropState', true, [state('x = 0')]]);
  });

  test('an error in the configuration file stands inside the message of an exception', () => {
    expect(outcomeOf('own/config-keyword-without-name', 'config')).toMatchObject({
      code: 5003,
      message:
        'TLC found an error in the configuration file at line 2\nThe keyword NEXT was not followed by an identifier.',
    });
    expect(reportOf('own/config-keyword-without-name').further).toEqual([]);
  });

  test('an error of a module is listed once, though SANY repeats it under the module that imports it', () => {
    const { errors } = outcomeOf('own/semantic-errors-twice', 'parse');
    expect(errors.map((error) => [error.module, error.line, error.column])).toEqual([
      ['Dep3', 2, 6],
      ['Warn2', 6, 30],
      ['Warn2', 7, 38],
    ]);
  });

  test('warnings of SANY are warnings', () => {
    const report = reportOf('own/semantic-errors-and-warnings');
    expect(expectKind(report.outcome, 'parse').errors.map((error) => error.message)).toEqual([
      'Operator Len already defined or declared.',
      'Non-unique fields in constructor.',
    ]);
    expect(report.warnings).toEqual([{ code: null, message: expect.stringMatching(/^Multiple declarations/) }]);
  });

  test('a conflict of precedence has its place', () => {
    expect(outcomeOf('own/precedence-conflict', 'parse').errors).toEqual([
      {
        message: expect.stringMatching(/^Precedence conflict between ops =/),
        module: 'Precedence',
        line: 6,
        column: expect.any(Number),
      },
    ]);
  });
});

describe('output that is not whole', () => {
  const violation = fixture('t26-params/Par').output.toString('utf8');

  test('cut inside its trace it is no verdict, though it names the invariant', () => {
    const cut = violation.slice(0, violation.indexOf('4: <Append'));
    expect(parseTlcOutput(cut, null).outcome).toMatchObject({ kind: 'toolFailure', cause: 'incompleteOutput' });
    expect(parseTlcOutput(cut, 143).outcome).toEqual({ kind: 'cancelled', by: 'signal', signal: 'SIGTERM' });
    expect(parseTlcOutput(cut, 137).outcome).toMatchObject({ kind: 'toolFailure', cause: 'killed' });
  });

  test('also where a report of progress stands between its states', () => {
    const busy = violation.replace('@!@!@STARTMSG 2217:4 @!@!@\n2: <', `${message(2200, 0, 'Progress(3)')}$&`);
    const cut = busy.slice(0, busy.indexOf('4: <Append'));
    expect(parseTlcOutput(cut, null).outcome).toMatchObject({ kind: 'toolFailure', cause: 'incompleteOutput' });
    expect(expectKind(parseTlcOutput(busy, 12).outcome, 'invariant').trace.states.length).toBe(4);
  });

  test('cut after its trace it is one', () => {
    const cut = violation.slice(0, violation.indexOf('@!@!@STARTMSG 2199'));
    expect(expectKind(parseTlcOutput(cut, null).outcome, 'invariant').trace.states.length).toBe(4);
  });

  test('no prefix of a success is a success before its last message, whatever the exit code', () => {
    const success = fixture('t13-exit/ok').output.toString('utf8');
    const end = success.indexOf('@!@!@ENDMSG 2186');
    for (let length = 0; length < end; length += 7)
      expect(parseTlcOutput(success.slice(0, length), 0).outcome.kind).toBe('toolFailure');
  });

  test('an end without success or error is a failure of the tool, also with exit code 0', () => {
    const success = fixture('t13-exit/ok').output.toString('utf8');
    const silent = success.replace(/@!@!@STARTMSG 2193.*?ENDMSG 2193 @!@!@\n/s, '');
    expect(parseTlcOutput(silent, 0).outcome).toMatchObject({ kind: 'toolFailure', cause: 'unknown' });
    expect(parseTlcOutput(success, 1).outcome).toMatchObject({ kind: 'toolFailure', cause: 'unknown' });
  });

  test('a trace that cannot be read is no violation but a failure that says so', () => {
    const damaged = violation.replace('b1 :> 2 @@ b2 :> 0', 'b1 :> @@ b2 :> 0');
    expect(parseTlcOutput(damaged, 12).outcome).toMatchObject({
      kind: 'toolFailure',
      cause: 'unreadableTrace',
      message: expect.stringContaining('state 3 cannot be read'),
    });
    const gap = violation.replace('3: <Append', '5: <Append');
    expect(parseTlcOutput(gap, 12).outcome).toMatchObject({
      message: expect.stringContaining('state 5 comes where state 3 is due'),
    });
    const exchanged = violation.replace('1: <Initial', '#: <').replace('2: <Append', '1: <').replace('#: <', '2: <');
    expect(parseTlcOutput(exchanged, 12).outcome).toMatchObject({
      message: expect.stringContaining('state 2 comes where state 1 is due'),
    });
  });

  test('a behaviour of which TLC does not say what it breaks, as in the distributed mode (tlaplus#752)', () => {
    const unnamed = violation.replace(/@!@!@STARTMSG 2110.*?ENDMSG 2110 @!@!@\n/s, '');
    const outcome = expectKind(parseTlcOutput(unnamed, null).outcome, 'evaluation');
    expect(outcome.message).toBe('TLC shows a behaviour that breaks something, and does not say what.');
    expect(outcome.trace?.states.length).toBe(4);
  });

  test('an empty output', () => {
    expect(parseTlcOutput('', null).outcome).toEqual({
      kind: 'toolFailure',
      cause: 'incompleteOutput',
      message: 'The output of TLC has no end.',
    });
  });
});

describe('texts of Java and of later releases', () => {
  const failed = (stderr: string, exitCode = 1) => parseTlcOutput('', exitCode, { stderr }).outcome;

  test('a jar for a later Java', () => {
    const text =
      'Error: LinkageError occurred while loading main class tlc2.TLC\n\tjava.lang.UnsupportedClassVersionError: tlc2/TLC';
    expect(failed(text)).toMatchObject({ kind: 'missingJava', problem: 'tooOld' });
  });

  test('a machine without enough memory, a crash of the JVM, an unknown JVM option', () => {
    const memory = '#\n# There is insufficient memory for the Java Runtime Environment to continue.';
    expect(parseTlcOutput(memory, 1).outcome.kind).toBe('outOfMemory');
    const crash = '# A fatal error has been detected by the Java Runtime Environment:';
    expect(failed(crash, 134)).toMatchObject({ kind: 'toolFailure', cause: 'jvmCrash' });
    const option = 'Unrecognized option: -Xfoo\nError: Could not create the Java Virtual Machine.';
    expect(failed(option)).toMatchObject({
      cause: 'jvmStart',
      message: expect.stringContaining('Unrecognized option: -Xfoo'),
    });
  });

  test('an uncaught exception of TLC shows its text, not its markers', () => {
    const text =
      'Exception in thread "main" util.Assert$TLCRuntimeException: @!@!@STARTMSG 2162:0 @!@!@\nNo directory.\n@!@!@ENDMSG 2162 @!@!@';
    expect(failed(text)).toMatchObject({
      cause: 'incompleteOutput',
      message: expect.stringMatching(/TLCRuntimeException: No directory\.$/),
    });
  });

  test('an endless recursion is an error of the specification', () => {
    const text = `TLC threw an unexpected exception.
This was probably caused by an error in the spec or model.
See the User Output or TLC Console for clues to what happened.
The exception was a java.lang.StackOverflowError
java.lang.StackOverflowError
\tat tlc2.tool.impl.FastTool.evalAppl(FastTool.java:90)`;
    const output = message(1000, 1, text) + message(2186, 0, 'Finished in 5ms at (2026-11-29 13:04:17)');
    expect(parseTlcOutput(output, 75).outcome).toMatchObject({
      kind: 'evaluation',
      message: 'java.lang.StackOverflowError: probably a recursive definition without an end.',
      trace: null,
    });
  });

  test('a message of an unknown code does not hide anything', () => {
    const output = fixture('t13-exit/ok').output.toString('utf8') + message(9999, 0, 'news');
    expect(parseTlcOutput(output, 0).outcome.kind).toBe('success');
  });

  test('a marker after a text without newline still is one, and so is an end marker', () => {
    const output = fixture('t03-stutter/Idle').output.toString('utf8');
    const glued = output
      .replace('3: Stuttering\n@!@!@ENDMSG', '3: Stuttering@!@!@ENDMSG')
      .replace('@!@!@STARTMSG 2199', 'dots...@!@!@STARTMSG 2199');
    const report = parseTlcOutput(glued, 13);
    expect(expectKind(report.outcome, 'temporal').trace.loop).toBe(1);
    expect(report.userOutput).toEqual(['dots...']);
    expect(report.statistics.generated).toBe(4);
  });
});

describe('the stream', () => {
  test.each(['t19-prints/Noise', 't16-unicode/lat-utf8', 't17-difftrace/DiffLasso'])(
    '%s in chunks of 1, 2, 3, 7 and 64 bytes',
    (name) => {
      const { output, exitCode } = fixture(name);
      const whole = parseTlcOutput(output, exitCode);
      for (const size of [1, 2, 3, 7, 64]) {
        const parser = new TlcOutputParser();
        for (let at = 0; at < output.length; at += size) parser.push(output.subarray(at, at + size));
        expect(parser.finish({ exitCode, signal: null })).toEqual(whole);
      }
    },
  );

  test('CR LF line ends', () => {
    const { output, exitCode } = fixture('t13-exit/deadlock');
    const windows = output.toString('utf8').replaceAll('\n', '\r\n');
    expect(parseTlcOutput(windows, exitCode)).toEqual(parseTlcOutput(output, exitCode));
  });

  test('progress goes through the phases in order', () => {
    const seen: TlcProgress[] = [];
    const { output } = fixture('t03-stutter/Idle');
    parseTlcOutput(output, 13, { onProgress: (progress) => seen.push(progress) });
    const phases = seen.map((progress) => progress.phase).filter((phase, index, all) => phase !== all[index - 1]);
    expect(phases).toEqual(['parsing', 'initialStates', 'searching', 'liveness', 'trace', 'searching', 'finished']);
    expect(seen.at(-1)?.statistics).toEqual({ generated: 4, distinct: 2, queueLeft: 0, depth: 2, initial: 1 });
  });

  test('of endless user output the first lines are kept', () => {
    const { output } = fixture('t19-prints/Noise');
    const report = parseTlcOutput(output, 12, { maxUserOutputLines: 4 });
    expect(report.userOutput.length).toBe(4);
    expect(report.userOutputDropped).toBe(7);
  });
});
