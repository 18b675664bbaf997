import { availableParallelism } from 'node:os';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Io } from '../commands/io.ts';

/** What a command needs to be declared: where it belongs, what it prints to, and where its exit code goes. */
export interface Line {
  readonly program: Command;
  readonly io: Io;
  done(exitCode: number): void;
}

/**
 * Declares one command: its words here, what it does in src/commands, which is loaded when it is called: starting up is
 * something people feel.
 */
export type Declare = (line: Line) => void;

/** Options of the program come back under each command, for they may stand on either side of its name. */
export function optionsOf<T>(command: Command): T {
  return command.optsWithGlobals() as T;
}

export function example(command: string): string {
  return `\nExample:\n  leader-epoch ${command}`;
}

// Options and arguments that several commands have.

export const CLAIMS = ['[claims...]', 'names, as `leader-epoch claims` lists them'] as const;

/** What `openSystem` knows. */
export const SYSTEMS = 'memory, disk, tcp, kafka-classes@<release>, kafka@<release> or process:<command line>';

export const json = (): Option => new Option('--json', 'one JSON document instead of text');
export const deep = (): Option => new Option('--deep', 'the deep ones too');
export const fresh = (): Option => new Option('--fresh', 'never from an outcome that was kept');

/** Two model checks at a time need two cores; more of them would need more memory than a laptop has. */
export function jobs(what = 'model checks at a time'): Option {
  return new Option('--jobs <n>', what).argParser(count).default(Math.min(2, availableParallelism()));
}

// Numbers, as they are given.

export function from(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (text.trim() !== '' && Number.isSafeInteger(number) && number >= least && number <= most) return number;
    const range = most === Number.MAX_SAFE_INTEGER ? 'on' : `to ${most}`;
    throw new InvalidArgumentError(`Expected a number from ${least} ${range}.`);
  };
}

export const count = from(1);
export const wholeNumber = from(0);
/** As many as an int of Java holds. */
export const javaCount = from(1, 2 ** 31 - 1);

export function port(text: string): number {
  const number = Number(text);
  if (text.trim() !== '' && Number.isInteger(number) && number >= 0 && number < 65536) return number;
  throw new InvalidArgumentError('Expected a port, from 0 to 65535.');
}

/** As Kafka's `Topic.validate` has it: brokers make a folder of that name. */
export function topic(text: string): string {
  if (/^(?!\.{1,2}$)[a-zA-Z0-9._-]{1,249}$/.test(text)) return text;
  throw new InvalidArgumentError(
    'Expected 1 to 249 of the letters a-z, A-Z, 0-9, ".", "_" and "-", and not "." or "..".',
  );
}

export function workers(text: string): number | 'auto' {
  return text === 'auto' ? text : count(text);
}
