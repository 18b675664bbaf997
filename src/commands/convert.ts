import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { isName } from '../tla/index.ts';
import { parseTlcOutput, type TlcReport, tracesIn } from '../tlc/index.ts';
import {
  isOfToolbox,
  parseItf,
  parseJsonTraces,
  parseTlcJson,
  parseToolbox,
  printItf,
  printMarkdown,
  printMermaid,
  printSvg,
  printText,
  printTlaModule,
  type SequenceMapping,
  type Trace,
  TraceError,
} from '../trace/index.ts';
import { readText, textOf } from './input.ts';
import { AS_CLAIMED, type Io, UsageError } from './io.ts';
import { needPlaceFor, save } from './output.ts';
import { plural } from './show.ts';

export interface ConvertCommand extends SequenceMapping {
  readonly from?: string;
  readonly to?: string;
  /** Which of several traces, from 1. */
  readonly number?: number;
  /** The name of a TLA+ module, or the title of a page. */
  readonly name?: string;
}

const INPUTS = ['tlc', 'tlc-json', 'itf', 'toolbox'] as const;
const OUTPUTS = ['itf', 'tla', 'markdown', 'mermaid', 'svg', 'text'] as const;
const STANDARD_INPUT = '(standard input)';
type Input = (typeof INPUTS)[number];
type Output = (typeof OUTPUTS)[number];

const ENDINGS: readonly (readonly [ending: string, format: Output])[] = [
  ['.itf.json', 'itf'],
  ['.json', 'itf'],
  ['.tla', 'tla'],
  ['.md', 'markdown'],
  ['.mmd', 'mermaid'],
  ['.mermaid', 'mermaid'],
  ['.svg', 'svg'],
  ['.txt', 'text'],
];

/** `leader-epoch convert <in> <out>`: a trace from one format to another; `-` is stdin or stdout. */
export async function convert(input: string, output: string, options: ConvertCommand, io: Io): Promise<number> {
  const to = outputFormat(output, options.to);
  const text = await readInput(input);
  const file = input === '-' ? STANDARD_INPUT : input;
  const from = inputFormat(text, options.from);
  const trace = pick(await readTraces(text, from, file, io), options.number, file);
  await writeTrace(trace, to, output, file, options, io);
  return AS_CLAIMED;
}

/** Writes a trace that came from `source` to a file, or to standard output (`-`). */
export async function writeTrace(
  trace: Trace,
  to: Output,
  output: string,
  source: string,
  options: ConvertCommand,
  io: Io,
): Promise<void> {
  const name = options.name ?? (output === '-' ? undefined : nameFor(output));
  try {
    await write(trace, to, output, name, options, io);
  } catch (error) {
    if (error instanceof TraceError) throw new UsageError(`${source} cannot be written as ${to}: ${error.message}`);
    throw error;
  }
}

async function write(
  trace: Trace,
  to: Output,
  output: string,
  name: string | undefined,
  options: ConvertCommand,
  io: Io,
): Promise<void> {
  if (to !== 'tla') return put(output, printed(trace, to, name, options), io);
  if (output !== '-') await needPlaceForModule(output, name);
  const { module: text, config } = printTlaModule(trace, name !== undefined && isName(name) ? name : 'Trace');
  await put(output, text, io);
  if (output !== '-') await put(configBeside(output), config, io);
}

function configBeside(module: string): string {
  return module.replace(/(\.tla)?$/, '.cfg');
}

/** That a trace can be written there: before long work, so that it is not lost, and nor is what is there already. */
export async function needPlaceForTrace(output: string, to: Output): Promise<void> {
  await needPlaceFor(output);
  if (to === 'tla') await needPlaceForModule(output, nameFor(output));
}

/** What `printTlaModule` writes: an older trace may give way to a newer one, a specification not. */
const OF_TRACE = /^(?:TraceStates_* == <<|(?:INVARIANT|PROPERTY) TraceEnds_*)$/m;

async function needPlaceForModule(output: string, name: string | undefined): Promise<void> {
  if (name === undefined || !isName(name))
    throw new UsageError(
      `TLA+ takes no module ${name}: name the file after a module, such as Trace.tla, with letters, digits and _.`,
    );
  for (const file of [output, configBeside(output)]) {
    const there = await readFile(file, 'utf8').catch(() => '');
    if (there.trim() !== '' && !OF_TRACE.test(there))
      throw new UsageError(`${file} is there already, and no trace: it would be lost. Choose another name.`);
  }
}

/** The name of a module, or a title, where none is given. */
function nameFor(output: string): string {
  return basename(output).replace(/\..*$/, '');
}

function printed(trace: Trace, to: Exclude<Output, 'tla'>, name: string | undefined, options: ConvertCommand): string {
  switch (to) {
    case 'itf':
      return printItf(trace);
    case 'markdown':
      return printMarkdown(trace, name === undefined ? {} : { title: name });
    case 'mermaid':
      return printMermaid(trace, options);
    case 'svg':
      return printSvg(trace, name === undefined ? options : { ...options, title: name });
    case 'text':
      return printText(trace);
  }
}

function outputFormat(output: string, given: string | undefined): Output {
  const known = formatOf(output, given);
  if (known !== undefined) return known;
  const formats = OUTPUTS.join(', ');
  if (given !== undefined) throw new UsageError(`There is no format "${given}" to write. There are ${formats}.`);
  throw new UsageError(`Say which format to write, with --to: ${formats}.`);
}

/** By its ending, where nothing else can be said. */
export function formatByEnding(output: string): Output {
  const known = formatOf(output, undefined);
  if (known !== undefined) return known;
  const endings = ENDINGS.map(([ending]) => ending).join(', ');
  throw new UsageError(`${output} does not say which format to write. Give it one of the endings ${endings}.`);
}

function formatOf(output: string, given: string | undefined): Output | undefined {
  const byEnding = ENDINGS.find(([ending]) => output.endsWith(ending))?.[1];
  const format = given ?? byEnding;
  return OUTPUTS.find((each) => each === format);
}

function inputFormat(text: string, given: string | undefined): Input | 'json' {
  const known = INPUTS.find((each) => each === given);
  if (known !== undefined) return known;
  if (given !== undefined)
    throw new UsageError(`There is no format "${given}" to read. There are ${INPUTS.join(', ')}.`);
  if (isOfToolbox(text)) return 'toolbox';
  return /^\uFEFF?\s*[{[]/.test(text) ? 'json' : 'tlc';
}

async function readTraces(text: string, from: Input | 'json', file: string, io: Io): Promise<Trace[]> {
  try {
    if (from === 'json') return parseJsonTraces(text, { file });
    if (from === 'toolbox') return [parseToolbox(text, { file })];
    if (from === 'itf') return [parseItf(text, { file })];
    if (from === 'tlc-json') return [parseTlcJson(text, { file })];
  } catch (error) {
    if (error instanceof TraceError) throw new UsageError(error.message);
    throw error;
  }
  const report = parseTlcOutput(text, null);
  const traces = [report.outcome, ...report.further].flatMap((outcome) =>
    'trace' in outcome && outcome.trace !== null ? [{ ...outcome.trace, meta: metaOf(outcome, report) }] : [],
  );
  if (traces.length > 0) return traces;
  const found = tracesIn(text);
  const problem = found.find((each) => 'problem' in each);
  if (problem !== undefined && 'problem' in problem) throw new UsageError(`${file}: in a trace, ${problem.problem}.`);
  if (found.length > 0) {
    io.err(`${file} is not the whole output of a run of TLC: its last trace may be cut.`);
    return found as Trace[];
  }
  throw new UsageError(`${file} holds no trace. ${whatItSays(report)}`);
}

function whatItSays({ outcome }: TlcReport): string {
  if (outcome.kind === 'success') return 'TLC found no error.';
  if ('message' in outcome && outcome.kind !== 'toolFailure') return `TLC says: ${outcome.message.split('\n')[0]}`;
  if (outcome.kind === 'parse') return `TLC says: ${outcome.errors[0]?.message.split('\n')[0]}`;
  return 'Give the output of TLC, an ITF file, what TLC writes with -dumpTrace json, or what the Toolbox exports.';
}

/** What TLC says of the trace. */
function metaOf(outcome: TlcReport['outcome'], { tlcVersion }: TlcReport): Trace['meta'] {
  return {
    violated: outcome.kind,
    ...('name' in outcome ? { property: outcome.name } : {}),
    ...('names' in outcome && outcome.names !== null ? { property: outcome.names.join(', ') } : {}),
    ...(tlcVersion === null ? {} : { tlc: tlcVersion }),
  };
}

function pick(traces: readonly Trace[], number: number | undefined, file: string): Trace {
  const trace = traces[(number ?? 1) - 1];
  if (trace === undefined)
    throw new UsageError(`${file} holds ${plural(traces.length, 'trace')}: there is no number ${number}.`);
  return trace;
}

async function readInput(input: string): Promise<string> {
  if (input !== '-') return readText(input, `There is no file ${input}.`);
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  } catch (error) {
    throw new UsageError(`${STANDARD_INPUT} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  return textOf(Buffer.concat(chunks), STANDARD_INPUT);
}

async function put(output: string, text: string, io: Io): Promise<void> {
  if (output === '-') return io.out(text.replace(/\n$/, ''));
  await save(output, text);
}
