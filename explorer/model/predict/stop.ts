import type { WorldStep } from '../../../src/systems/system.ts';
import type { Opened } from '../opened.ts';

/** A question before a decisive step. The implementation knows the answer. */
export interface Stop {
  readonly opened: Opened;
  /** The step that is asked about: the scene shows the state before it. */
  readonly index: number;
  /** Two questions of one kind ask the same. */
  readonly kind: string;
  readonly question: string;
  readonly options: readonly Option[];
  /** What happens, in a sentence or two; shown after the answer. */
  readonly outcome: string;
  /** The function of src/replica whose comment gives the rule and its source. */
  readonly rule: string | null;
  /** The misconception that a wrong answer shows. */
  readonly misconception: string | null;
}

export interface Option {
  readonly text: string;
  readonly right: boolean;
}

/** A step, the worlds around it as the implementation has them. */
export interface Asked {
  readonly opened: Opened;
  readonly index: number;
  readonly step: WorldStep;
}

/** What a kind of question is made of; the rest is filled in. */
export type Draft = Omit<Stop, 'opened' | 'index' | 'outcome'> & { readonly outcome?: string };

export function yesNo(isYes: boolean, yes = 'Yes', no = 'No'): Option[] {
  return [
    { text: yes, right: isYes },
    { text: no, right: !isYes },
  ];
}
