import { writeFile } from 'node:fs/promises';
import type { Claim, ClaimResult } from '../claims/index.ts';
import { UsageError } from './io.ts';

/** Writes verdicts for CI: a test case for each claim; not as claimed is a failure, could not tell is an error. */
export async function writeJunit(
  file: string,
  results: readonly ClaimResult[],
  claims: readonly Claim[],
): Promise<void> {
  try {
    await writeFile(file, junitXml(results, claims));
  } catch (error) {
    throw new UsageError(`${file} cannot be written (${(error as NodeJS.ErrnoException).code}): choose another place.`);
  }
}

/** Pure. A claim without a result was not checked, for the run was stopped. */
export function junitXml(results: readonly ClaimResult[], claims: readonly Claim[]): string {
  const byName = new Map(results.map((result) => [result.claim.claim, result]));
  const all = claims.map((claim) => byName.get(claim.claim) ?? null);
  const of = (kind: string): number => all.filter((result) => (result?.verdict.kind ?? 'couldNotTell') === kind).length;
  const ms = results.reduce((sum, { durationMs, kept }) => sum + (kept ? 0 : durationMs), 0);
  const counts = `tests="${claims.length}" failures="${of('notAsClaimed')}" errors="${of('couldNotTell')}" time="${seconds(ms)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="leader-epoch" ${counts}>`,
    `  <testsuite name="claims" ${counts}>`,
    ...claims.map((claim, index) => testCase(claim, all[index] ?? null)),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase(claim: Claim, result: ClaimResult | null): string {
  const time = result === null || result.kept ? 0 : result.durationMs;
  const head = `    <testcase classname="claims" name="${safe(claim.claim)}" time="${seconds(time)}"`;
  const problem = problemOf(result);
  return problem === null ? `${head}/>` : `${head}>\n      ${problem}\n    </testcase>`;
}

function problemOf(result: ClaimResult | null): string | null {
  if (result === null) return '<error message="not checked: the run was stopped"/>';
  const { verdict } = result;
  if (verdict.kind === 'asClaimed') return null;
  if (verdict.kind === 'couldNotTell') return `<error message="${safe(verdict.reason)}"/>`;
  return `<failure message="${safe(verdict.reasons.join('; '))}"/>`;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

/** Characters that XML does not have become question marks. */
function safe(text: string): string {
  return text
    .replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '?')
    .replace(/[<>&"\t\n\r]/g, (char) => `&#${char.charCodeAt(0)};`);
}
