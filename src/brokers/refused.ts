import type { WorldStep } from '../systems/system.ts';
import type { Member } from './member.ts';

/** Why a step cannot be taken, for a refusal. */
export class Refused extends Error {
  /** Kafka could take it, and these brokers can never be brought to it when we want it. */
  readonly never: boolean;

  constructor(reason: string, { never = false } = {}) {
    super(reason);
    this.never = never;
  }
}

export function needs(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new Refused(otherwise);
}

/** A step's arguments, by their places. */
export interface Arguments {
  member(index: number): Member;
  text(index: number): string;
  number(index: number): number;
}

export function argumentsOf(args: WorldStep['args'], members: readonly Member[]): Arguments {
  return {
    text: (index) => String(args[index]),
    number: (index) => {
      const number = Number(args[index]);
      if (Number.isSafeInteger(number)) return number;
      throw new Refused(`${args[index]} is not a number`);
    },
    member: (index) => {
      const member = members.find(({ name }) => name === args[index]);
      if (member !== undefined) return member;
      throw new Refused(`there is no replica ${args[index]}`);
    },
  };
}
