import { delimiter } from 'node:path';

/** How TLC searches. Paths are absolute by the time that they come here. */
export interface TlcSettings {
  /** Default 1: a second run finds the same trace. `auto`: one for each core. */
  readonly workers?: number | 'auto';
  /** Index of the polynomial for fingerprints, 0–130. Default 0. */
  readonly fingerprint?: number;
  /** For `simulate`, and for RandomElement. Default 1. */
  readonly seed?: number;
  /** Default true; false passes TLC's `-deadlock`, which turns the check off. */
  readonly checkDeadlock?: boolean;
  /** Minutes between coverage reports; TLC's unit. */
  readonly coverageMinutes?: number;
  /** Random behaviours instead of a search; `traces` bounds their number, or it runs until it is stopped. */
  readonly simulate?: { readonly traces?: number };
  /** States of each simulated behaviour. */
  readonly depth?: number;
  readonly continueAfterError?: boolean;
  /** Writes the state graph. `options`, such as `actionlabels` and `colorize`, are TLC's. */
  readonly dumpDot?: { readonly file: string; readonly options?: readonly string[] };
  readonly diffTrace?: boolean;
  /** Iterative deepening, depth first, to this level. */
  readonly depthFirst?: number;
  /** Folders to look for modules in, after the one of the specification. */
  readonly library?: readonly string[];
  /** Default: half of the memory, from 512 to 8,192. */
  readonly heapMb?: number;
  /** A run that is known to be short: Java compiles quickly rather than well, and takes little memory at a time. Default false. */
  readonly brief?: boolean;
  readonly jvmArgs?: readonly string[];
  /** More options of TLC, as they are. */
  readonly extraArgs?: readonly string[];
}

/** States up to which a run is `brief`: Java's second compiler would take more time than it saves. */
export const BRIEF_STATES = 50_000;

export interface TlcPlace {
  readonly spec: string;
  readonly config: string;
  readonly jar: string;
  /** What this release of TLC can do (`Jar.options`). */
  readonly jarOptions: ReadonlySet<string>;
  /** A folder of this run only: all that TLC and the JVM write of their own goes there. */
  readonly temporary: string;
  /** Bytes of memory that this machine (or container) has. */
  readonly memoryBytes: number;
}

/** TLC recurses along sequences and recursive definitions: Java's own megabyte ends at some hundreds of elements. */
export const STACK = '-Xss16m';

/** The arguments of `java`. Pure. */
export function buildJavaArgs(settings: TlcSettings, place: TlcPlace): string[] {
  return [...jvmArgs(settings, place), '-cp', place.jar, 'tlc2.TLC', ...tlcArgs(settings, place), place.spec];
}

function jvmArgs(settings: TlcSettings, place: TlcPlace): string[] {
  return [
    // TLC warns (2401) about any other collector.
    '-XX:+UseParallelGC',
    `-Xmx${settings.heapMb ?? defaultHeapMb(place.memoryBytes)}m`,
    STACK,
    // No file under /tmp/hsperfdata_*, which a killed JVM leaves there.
    '-XX:-UsePerfData',
    `-XX:ErrorFile=${place.temporary}/hs_err.log`,
    // SANY unpacks the standard modules there, by their plain names: runs at the same time must not share it.
    `-Djava.io.tmpdir=${place.temporary}`,
    '-Dfile.encoding=UTF-8',
    '-Dstdout.encoding=UTF-8',
    '-Dstderr.encoding=UTF-8',
    '-Dsun.stdout.encoding=UTF-8',
    '-Dsun.stderr.encoding=UTF-8',
    '-Duser.language=en',
    ...(settings.brief === true ? ['-XX:TieredStopAtLevel=1', '-Xmn64m'] : []),
    ...(settings.library?.length ? [`-DTLA-Library=${settings.library.join(delimiter)}`] : []),
    ...(settings.jvmArgs ?? []),
  ];
}

function tlcArgs(settings: TlcSettings, place: TlcPlace): string[] {
  const { coverageMinutes, depth, depthFirst, dumpDot, simulate } = settings;
  return [
    '-tool',
    ...['-metadir', `${place.temporary}/states`],
    ...['-workers', String(settings.workers ?? 1)],
    ...['-fp', String(settings.fingerprint ?? 0)],
    ...['-seed', String(settings.seed ?? 1)],
    ...['-config', place.config],
    ...(settings.checkDeadlock === false ? ['-deadlock'] : []),
    ...(coverageMinutes === undefined ? [] : ['-coverage', String(coverageMinutes)]),
    ...(simulate === undefined ? [] : ['-simulate']),
    ...(simulate?.traces === undefined ? [] : [`num=${simulate.traces}`]),
    ...(depth === undefined ? [] : ['-depth', String(depth)]),
    ...(settings.continueAfterError === true ? ['-continue'] : []),
    ...(dumpDot === undefined ? [] : ['-dump', ['dot', ...(dumpDot.options ?? [])].join(','), dumpDot.file]),
    ...(settings.diffTrace === true ? ['-difftrace'] : []),
    ...(depthFirst === undefined ? [] : ['-dfid', String(depthFirst)]),
    // Later releases write a *_TTrace_* specification beside the user's at each error, unless told not to.
    ...(place.jarOptions.has('-noGenerateSpecTE') ? ['-noGenerateSpecTE'] : []),
    ...(settings.extraArgs ?? []),
  ];
}

/** Half of the memory: TLC's queue and fingerprints live in the heap, and another run may be beside it. */
export function defaultHeapMb(memoryBytes: number): number {
  return Math.min(8_192, Math.max(512, Math.floor(memoryBytes / 2 / 1024 / 1024)));
}

/** Throws a TypeError for numbers that TLC cannot mean: a mistake of the program that gives them. */
export function checkSettings(settings: TlcSettings): void {
  const atLeast = (name: string, value: unknown, least: number): void => {
    if (value === undefined) return;
    if (!Number.isSafeInteger(value) || (value as number) < least)
      throw new TypeError(`${name} is ${value}, no integer from ${least} on`);
  };
  if (settings.workers !== 'auto') atLeast('workers', settings.workers, 1);
  atLeast('fingerprint', settings.fingerprint, 0);
  atLeast('seed', settings.seed, Number.MIN_SAFE_INTEGER);
  atLeast('coverageMinutes', settings.coverageMinutes, 1);
  atLeast('simulate.traces', settings.simulate?.traces, 1);
  atLeast('depth', settings.depth, 1);
  atLeast('depthFirst', settings.depthFirst, 1);
  atLeast('heapMb', settings.heapMb, 16);
}
