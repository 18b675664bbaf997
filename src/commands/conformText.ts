import type { Conformance, Coverage, Deviation, Drive, DriveDeviation } from '../conform/index.ts';
import { showStep } from '../replay/index.ts';
import { differences, table } from '../report/index.ts';
import { type Difference, print } from '../tla/index.ts';
import type { Outcome, Times } from './conformGraph.ts';
import { AS_CLAIMED, COULD_NOT_TELL, type Io, NOT_AS_CLAIMED, wantsColour } from './io.ts';
import { mark, plural, seconds } from './show.ts';

/** How many of the deviations are told in full; the others are counted. */
const TOLD = 2;

export function exitCodeOf(outcome: Outcome): number {
  if (outcome.kind === 'couldNotTell') return COULD_NOT_TELL;
  if (outcome.kind === 'leftOut' || outcome.kind === 'kept') return AS_CLAIMED;
  if (isEqual(outcome)) return AS_CLAIMED;
  return outcome.kind === 'driven' && outcome.drive.deviations.length === 0 ? COULD_NOT_TELL : NOT_AS_CLAIMED;
}

/** What is cut short is not known to be equal. */
function isEqual(outcome: Extract<Outcome, { kind: 'checked' | 'driven' }>): boolean {
  if (outcome.kind === 'checked') return outcome.result.missing === 0 && outcome.result.extra === 0;
  return outcome.drive.covered === outcome.drive.edges;
}

export function outcomeLines(claim: string, outcome: Outcome, io: Io): string[] {
  const name = claim.padEnd(28);
  if (outcome.kind === 'couldNotTell') return [`  ${mark('unknown', io)} ${name} could not tell: ${outcome.reason}`];
  if (outcome.kind === 'leftOut')
    return [`  - ${name} left out: more than ${outcome.maxStates.toLocaleString('en')} states`];
  if (outcome.kind === 'kept') {
    const size = sizeText(outcome);
    return [`  ${mark('good', io)} ${name} ${`${size}, all equal`.padEnd(44)} as an earlier run has found`];
  }
  const { times } = outcome;
  const took = `${times.tlc === null ? '' : `TLC ${seconds(times.tlc)}, `}checked in ${seconds(times.check)}`;
  const code = exitCodeOf(outcome);
  const mood = code === AS_CLAIMED ? 'good' : code === COULD_NOT_TELL ? 'unknown' : 'bad';
  const result = outcome.kind === 'checked' ? outcome.result : outcome.drive;
  const summary = outcome.kind === 'checked' ? checkedText(outcome.result) : drivenText(outcome.drive);
  const hidden = result.notObservable;
  const details = [
    ...(hidden.length > 0 ? [`not observable, so not compared: ${hidden.join(', ')}`] : []),
    ...(outcome.kind === 'checked' ? deviationLines(outcome.result, io) : drivenLines(outcome.drive, io)),
  ];
  return [`  ${mark(mood, io)} ${name} ${summary.padEnd(44)} ${took}`, ...details.map((line) => `      ${line}`)];
}

function sizeText({ states, steps }: { readonly states: number; readonly steps: number }): string {
  return `${states.toLocaleString('en')} states, ${steps.toLocaleString('en')} steps`;
}

function checkedText({ states, steps, missing, extra }: Conformance): string {
  const size = sizeText({ states, steps });
  if (missing === 0 && extra === 0) return `${size}, all equal`;
  const parts = [
    missing > 0 ? `${plural(missing, 'step')} missing` : '',
    extra > 0 ? `${plural(extra, 'step')} too many` : '',
  ];
  return `${size}: ${parts.filter((part) => part !== '').join(', ')}`;
}

function drivenText({ edges, covered, steps, resets, deviations, unreached, isCutShort }: Drive): string {
  const share = `${covered.toLocaleString('en')} of ${edges.toLocaleString('en')} edges`;
  const how = `${steps.toLocaleString('en')} steps, ${resets.toLocaleString('en')} resets`;
  const rest = unreached > 0 ? `, ${unreached.toLocaleString('en')} not reached` : '';
  if (isCutShort) return `${share}, then cut short, ${deviations.length} differ (${how})`;
  return deviations.length === 0
    ? `${share}, all equal${rest} (${how})`
    : `${share}, ${deviations.length} differ${rest} (${how})`;
}

function deviationLines({ deviations, missing, extra, system }: Conformance, io: Io): string[] {
  const lines = deviations.slice(0, TOLD).flatMap((deviation) => oneDeviation(deviation, system, io));
  const more = missing + extra - Math.min(TOLD, deviations.length);
  return more > 0 ? [...lines, `… and ${plural(more, 'step')} more`] : lines;
}

function oneDeviation({ kind, path, action, step, nearest }: Deviation, system: string, io: Io): string[] {
  const way = path.map((one) => (one.args === null ? `${one.action}(?)` : showStep({ ...one, args: one.args })));
  const place = path.length === 0 ? 'In the initial state' : `After ${plural(path.length, 'step')} (${way.join(', ')})`;
  const named = step === null ? action : showStep(step);
  const what = {
    initial: `${system} begins in another state than the specification`,
    missing: `${place} the specification has a step ${action} that ${system} does not take`,
    extra: `${place} ${system} takes ${named}, which the specification does not have`,
  }[kind];
  if (nearest === null) return [`${what}: no ${action} is possible there on the other side.`];
  const shown = nearest.step ?? step ?? { action, args: [] };
  const at = kind === 'initial' ? { step: 0 } : { step: path.length + 1, ...shown };
  return [`${what}. The nearest:`, ...differencesText(nearest.differences, { ...at, system }, io)];
}

function drivenLines({ deviations, system }: Drive, io: Io): string[] {
  const lines = deviations.slice(0, TOLD).flatMap((one) => oneDriven(one, system, io));
  const more = deviations.length - TOLD;
  return more > 0 ? [...lines, `… and ${plural(more, 'edge')} more`] : lines;
}

function oneDriven({ path, refused, differences: list }: DriveDeviation, system: string, io: Io): string[] {
  const last = path.at(-1)!;
  const before = path.slice(0, -1).map(showStep).join(', ');
  const place = path.length === 1 ? 'In the initial state' : `After ${plural(path.length - 1, 'step')} (${before})`;
  if (refused !== null) return [`${place} ${system} refuses ${showStep(last)}: ${refused}`];
  const title = `${place} ${showStep(last)} leads elsewhere:`;
  return [title, ...differencesText(list, { step: path.length, ...last, system }, io)];
}

function differencesText(
  list: readonly Difference[],
  at: { step: number; system: string; action?: string; args?: readonly (string | number)[] },
  io: Io,
): string[] {
  return differences(list, { colour: wantsColour(io), width: io.columns, ...at }).map((line) => `  ${line}`);
}

export function coverageLines({ actions, branches, outcomes, pairs }: Coverage): string[] {
  const rows = [...actions].sort().map(([action, steps]) => {
    const follow = [...pairs].filter(([pair]) => pair.startsWith(`${action}, `)).length;
    return [action, steps.toLocaleString('en'), String(outcomes.get(action)?.size ?? 0), String(follow)];
  });
  const ways = [...branches]
    .sort()
    .flatMap(([action, counts]) =>
      [...counts].map(([branch, steps]) => [action, branch, steps === 0 ? 'never' : steps.toLocaleString('en')]),
    );
  return [
    '',
    ...table(rows, { header: ['action', 'steps', 'outcomes', 'can be followed by'], width: 100 }),
    ...(ways.length === 0 ? [] : ['', ...table(ways, { header: ['rule', 'branch', 'steps'], width: 100 })]),
    '',
  ];
}

export function lastLine(outcomes: readonly Outcome[], expected: number, ms: number): string {
  const known = outcomes.flatMap((outcome) => ('times' in outcome ? [outcome] : []));
  const leftOut = outcomes.filter(({ kind }) => kind === 'leftOut').length;
  const equal = known.filter((outcome) => exitCodeOf(outcome) === AS_CLAIMED).length;
  const rest = expected - leftOut - known.filter((outcome) => exitCodeOf(outcome) !== COULD_NOT_TELL).length;
  const steps = known.reduce((sum, outcome) => sum + stepsOf(outcome), 0);
  return (
    `${equal} of ${plural(expected - leftOut, 'model')} conform${rest > 0 ? `, ${rest} undecided` : ''}` +
    `${leftOut > 0 ? `, ${leftOut} left out` : ''}: ` +
    `${steps.toLocaleString('en')} steps of the specification looked at, in ${seconds(ms)}.`
  );
}

function stepsOf(outcome: Extract<Outcome, { readonly times: Times }>): number {
  if (outcome.kind === 'kept') return outcome.steps;
  return outcome.kind === 'checked' ? outcome.result.steps : outcome.drive.covered;
}

export function plainOutcome(outcome: Outcome) {
  if (outcome.kind === 'couldNotTell') return { verdict: 'couldNotTell', reason: outcome.reason };
  if (outcome.kind === 'leftOut') return { verdict: 'leftOut', maxStates: outcome.maxStates };
  const { times } = outcome;
  const took = { tlcMs: times.tlc === null ? null : Math.round(times.tlc), checkMs: Math.round(times.check) };
  if (outcome.kind === 'kept') return { verdict: 'conforms', states: outcome.states, steps: outcome.steps, ...took };
  const rest = { coverage: outcome.coverage, ...took };
  const verdict = ['conforms', 'differs', 'couldNotTell'][exitCodeOf(outcome)];
  if (outcome.kind === 'checked') {
    const { result } = outcome;
    return { verdict, ...result, deviations: result.deviations.map(plainDeviation), ...rest };
  }
  const { drive } = outcome;
  const deviations = drive.deviations.map((one) => ({ ...one, differences: one.differences.map(plainDifference) }));
  return { verdict, ...drive, deviations, ...rest };
}

function plainDeviation({ kind, path, action, step, after, nearest }: Deviation) {
  return {
    kind,
    path,
    action,
    step,
    after: Object.fromEntries([...after].map(([name, value]) => [name, print(value)])),
    nearest: nearest && { step: nearest.step, differences: nearest.differences.map(plainDifference) },
  };
}

function plainDifference({ path, kind, before, after }: Difference) {
  return { path, kind, specification: before ? print(before) : null, system: after ? print(after) : null };
}
