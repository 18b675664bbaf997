import { save } from './output.ts';

/** What a CI server shows of one check. */
export interface JunitCase {
  readonly name: string;
  readonly durationMs: number;
  /** Null: as it should be. A failure is known to be wrong; an error means that nobody can tell. */
  readonly problem: { readonly kind: 'failure' | 'error'; readonly message: string; readonly text?: string } | null;
}

/** Writes verdicts for CI. */
export async function writeJunit(file: string, suite: string, cases: readonly JunitCase[]): Promise<void> {
  await save(file, junitXml(suite, cases));
}

/** Pure. */
export function junitXml(suite: string, cases: readonly JunitCase[]): string {
  const of = (kind: string): number => cases.filter(({ problem }) => problem?.kind === kind).length;
  const ms = cases.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const counts = `tests="${cases.length}" failures="${of('failure')}" errors="${of('error')}" time="${seconds(ms)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="leader-epoch" ${counts}>`,
    `  <testsuite name="${suite}" ${counts}>`,
    ...cases.map((each) => testCase(suite, each)),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase(suite: string, { name, durationMs, problem }: JunitCase): string {
  const head = `    <testcase classname="${suite}" name="${safe(name)}" time="${seconds(durationMs)}"`;
  if (problem === null) return `${head}/>`;
  const { kind, message, text } = problem;
  const body = text === undefined ? '/>' : `>${escaped(text)}</${kind}>`;
  return `${head}>\n      <${kind} message="${safe(message)}"${body}\n    </testcase>`;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

/** For an attribute: there a line break would turn into a blank. */
function safe(text: string): string {
  return escaped(text).replace(/["\t\n\r]/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** Characters that XML does not have become question marks. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '?')
    .replace(/[<>&]/g, (char) => `&#${char.charCodeAt(0)};`);
}
