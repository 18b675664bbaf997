import type { Asked, Draft } from '../stop.ts';
import { asksAgain, cutTo, whereItEnds } from './cutting.ts';
import { hasWhatJoins, isStillThere, waitsForController } from './elections.ts';
import { isAccepted, isTakenLate, replyHw } from './fetching.ts';
import { epochsOnReturn, hwOnReturn, keptOfPower } from './machine.ts';

/** Kinds of questions: each looks at a step, and asks if the step decides something of its kind. */
export const QUESTIONS: readonly ((asked: Asked) => Draft | null)[] = [
  cutTo,
  asksAgain,
  replyHw,
  whereItEnds,
  isAccepted,
  isTakenLate,
  hwOnReturn,
  epochsOnReturn,
  isStillThere,
  hasWhatJoins,
  waitsForController,
  keptOfPower,
];
