/**
 * A wrapper of tla2tools: finds (or fetches) a jar and Java, runs TLC and reads its `-tool` output. Knows nothing of what
 * is checked with it.
 */
export { BRIEF_STATES, type TlcSettings } from './argv.ts';
export type { DistributedEvent, DistributedOptions } from './distributed/run.ts';
export { hashOfFiles } from './hashOfFiles.ts';
export { cacheFolder, type FindJarOptions, findJar, type Jar, type JarResult } from './jar.ts';
export { runJarClass } from './jarClass.ts';
export { type FindJavaOptions, findJava, type Java, type JavaResult } from './java.ts';
export { makeFolder } from './makeFolder.ts';
export type {
  EvaluationDetails,
  JarProblemKind,
  Success,
  TemporalViolation,
  TlcOutcome,
  TlcProgress,
  TlcReport,
  TlcStatistics,
  TlcWarning,
  ToolFailure,
  ToolFailureCause,
} from './outcome.ts';
export type { CoverageItem } from './parse/coverage.ts';
export type { SourceRange } from './parse/location.ts';
export { type ParserOptions, parseTlcOutput } from './parse/parser.ts';
export type { SpecError } from './parse/sany.ts';
export { tracesIn } from './parse/traces.ts';
export {
  outcomeSchema,
  type PlainOutcome,
  type PlainReport,
  plainOutcome,
  plainReport,
  reportSchema,
} from './plain.ts';
export { type RunTlcOptions, runTlc, type TlcResult } from './run.ts';
export { outcomeText } from './words.ts';
export { writeWhole } from './writeWhole.ts';
export { readZipEntry, type ZipEntry } from './zip.ts';
