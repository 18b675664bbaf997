import type { z } from 'zod';
import { type ActionName, actions } from '../replica/index.ts';
import { TraceError } from '../trace/index.ts';
import { readJson } from '../trace/json.ts';
import type { JsonFormat } from '../trace/traceError.ts';
import { type EventLine, eventLine, type HeaderLine, headerLine } from './logLines.ts';

export interface LoggedEvent extends EventLine {
  /** Of the file, from 1 on. */
  readonly line: number;
}

export interface RunLog {
  readonly header: HeaderLine;
  readonly events: readonly LoggedEvent[];
}

/** A log that cannot be read: file, line, what was expected. A message for people. */
export class LogError extends Error {
  override readonly name = 'LogError';
}

/** @throws LogError */
export function readLog(text: string, file: string): RunLog {
  const lines = text.split('\n').map((one) => one.replace(/\r$/, ''));
  const isCut = text !== '' && !text.endsWith('\n');
  const filled = lines.flatMap((one, index) => (one.trim() === '' ? [] : [{ text: one, line: index + 1 }]));
  const last = filled.at(-1);
  const parsed = filled.map((one) => ({
    line: one.line,
    value: jsonOf(one.text, file, one.line, isCut && one === last),
  }));
  const [first, ...rest] = parsed;
  if (first === undefined)
    throw new LogError(`${file} is empty: expected a line that describes the cluster, and events.`);
  const header = checked(headerLine, first.value, file, first.line);
  checkHeader(header, `${file}, line ${first.line}`);
  if (rest.length === 0) throw new LogError(`${file} has no events: nothing was logged, so nothing can be said of it.`);
  const events = rest.map(({ line, value }) => ({ ...checked(eventLine, value, file, line), line }));
  for (const event of events) checkEvent(event, header, `${file}, line ${event.line}`);
  return { header, events };
}

const LINE: JsonFormat = { Error: TraceError, what: 'A log has one JSON object a line.' };

function jsonOf(text: string, file: string, line: number, isCut: boolean): unknown {
  try {
    const value: unknown = JSON.parse(text);
    // Which takes the last of two equal keys without a word.
    readJson(text, LINE);
    return value;
  } catch (error) {
    if (error instanceof TraceError) {
      const path = error.path ? `, ${error.path}` : '';
      throw new LogError(
        `${file}, line ${line}, column ${error.column}${path}: expected ${error.expected}. ${error.advice}`,
      );
    }
    if (!(error instanceof SyntaxError)) throw error;
    if (isCut) {
      throw new LogError(
        `${file}, line ${line}: the last line is cut off ("${text.slice(-30)}"). Remove it, or log on.`,
      );
    }
    const position = /position (\d+)/.exec(error.message)?.[1];
    const column = position === undefined ? '' : `, column ${Number(position) + 1}`;
    throw new LogError(`${file}, line ${line}${column}: expected one JSON object a line. ${error.message}.`);
  }
}

function checked<T extends z.ZodType>(schema: T, value: unknown, file: string, line: number): z.infer<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue?.path.join('.') ?? '';
  throw new LogError(
    `${file}, line ${line}${path === '' ? '' : `, ${path}`}: ${issue?.message ?? 'is not understood'}.`,
  );
}

function checkHeader({ config }: HeaderLine, place: string): void {
  const { firstLeader, profileOf, replicas } = config;
  if (!replicas.includes(firstLeader))
    throw new LogError(`${place}, config.firstLeader: ${firstLeader} is no replica.`);
  const without = replicas.find((id) => profileOf[id] === undefined);
  if (without !== undefined) throw new LogError(`${place}, config.profileOf: nothing is said of replica ${without}.`);
}

function checkEvent(event: LoggedEvent, { config }: HeaderLine, place: string): void {
  const { args, by, of } = event;
  const isReplica = (id: unknown): boolean => typeof id === 'string' && config.replicas.includes(id);
  if (of !== undefined && !isReplica(of)) throw new LogError(`${place}, of: ${of} is no replica.`);
  const ofReplica = Object.keys(event.state ?? {}).find((name) => !OF_CONTROLLER.has(name));
  if (ofReplica !== undefined && of === undefined && !isReplica(by)) {
    throw new LogError(`${place}, state.${ofReplica}: ${by} is no replica, so say whose state it is in "of".`);
  }
  if (args === undefined) return;
  if (typeof event.action !== 'string') throw new LogError(`${place}, args: arguments are of one action, so name it.`);
  const { takes } = actions[event.action];
  if (args.length !== takes.length) {
    throw new LogError(
      `${place}, args: ${event.action} takes ${takes.length} (${takes.join(', ')}), not ${args.length}.`,
    );
  }
  args.forEach((arg, index) => {
    if (arg === null || isPossible(takes[index]!, arg, isReplica)) return;
    throw new LogError(`${place}, args.${index}: expected ${WORDS[takes[index]!]}, found ${JSON.stringify(arg)}.`);
  });
}

function isPossible(takes: Takes, arg: string | number, isReplica: (id: unknown) => boolean): boolean {
  if (takes === 'replica') return isReplica(arg);
  return takes === 'acks' ? arg === '1' || arg === 'all' : typeof arg === 'number';
}

type Takes = (typeof actions)[ActionName]['takes'][number];

const WORDS: Readonly<Record<Takes, string>> = { replica: 'a replica', acks: '"1" or "all"', number: 'a number' };

/** Variables that are of nobody, or of all. */
export const OF_CONTROLLER: ReadonlySet<string> = new Set(['controller', 'oldNews', 'elr']);
