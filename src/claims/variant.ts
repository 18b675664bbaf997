import type { Value } from '../tla/index.ts';
import type { ModelConfig } from './config.ts';

/** Ways in which a claim's model is run besides its own bound. */
export const TRIES = ['itself', 'smaller', 'larger', 'three', 'simulated', 'lazy'] as const;
export type Try = (typeof TRIES)[number];

/** What another run of the same model changes in its configuration. */
export interface Variant {
  /** Constants with other values, as TLA+ text. */
  readonly constants: Readonly<Record<string, string>>;
  /** A told schedule is told no more: every schedule within the constants is tried. */
  readonly everySchedule: boolean;
  /** An action that may come between the steps of a told schedule; null where none may. */
  readonly betweenSteps: string | null;
  /** What is changed, in words: `3 elections`. */
  readonly bound: string;
}

/** Why a model is not run so, for a table. */
export interface Untried {
  readonly untried: string;
}

const BUDGETS = {
  MaxPowerLosses: ['loss of power', 'losses of power'],
  MaxUnclean: ['unclean election', 'unclean elections'],
  MaxLostMessages: ['lost message', 'lost messages'],
  MaxElections: ['election', 'elections'],
  MaxRecords: ['record', 'records'],
  MaxCrashes: ['crash', 'crashes'],
  MaxOffset: ['record', 'records'],
} as const;
type Budget = keyof typeof BUDGETS;
export const BUDGET_NAMES = Object.keys(BUDGETS) as [Budget, ...Budget[]];

/** What a model is about, first: its own kind of fault, then elections. */
const ORDER: readonly Budget[] = ['MaxPowerLosses', 'MaxUnclean', 'MaxLostMessages', 'MaxElections', 'MaxCrashes'];

/** The bound that each known bug is tried in before it is called unreachable. */
const THREE = { replicas: '{"A", "B", "C"}', elections: 3, crashes: 2 };

/** Pure: the variant of a model, or why there is none. `larger`: the budgets that the next bound raises. */
export function variantOf(kind: Try, config: ModelConfig, larger: readonly Budget[] = []): Variant | Untried {
  const told = config.substitutions.get('Told') === 'ToldHere';
  switch (kind) {
    case 'itself':
      return { constants: {}, everySchedule: false, betweenSteps: null, bound: '' };
    case 'smaller': {
      if (told) return { untried: 'one schedule' };
      const name = ORDER.find((one) => budget(config, one) > 0);
      return name === undefined
        ? { untried: 'nothing to have less of' }
        : budgets({ [name]: budget(config, name) - 1 });
    }
    case 'larger': {
      if (told)
        return {
          constants: {},
          everySchedule: true,
          betweenSteps: null,
          bound: `every schedule of ${inWords(config)}`,
        };
      const raised = (larger.length > 0 ? larger : [nextBudget(config)]).map((name) => [
        name,
        budget(config, name) + 1,
      ]);
      return budgets(Object.fromEntries(raised) as Partial<Record<Budget, number>>);
    }
    case 'three':
    case 'simulated': {
      if (!isOfTheProtocol(config)) return { untried: 'two logs, no replicas' };
      const MaxElections = Math.max(THREE.elections, budget(config, 'MaxElections'));
      const MaxCrashes = Math.max(THREE.crashes, budget(config, 'MaxCrashes'));
      const { constants, bound } = budgets({ MaxElections, MaxCrashes });
      const all = { Replicas: THREE.replicas, ...constants };
      return { constants: all, everySchedule: told, betweenSteps: null, bound: `3 replicas, ${bound}` };
    }
    case 'lazy': {
      if (!isOfTheProtocol(config)) return { untried: 'two logs, no checkpoints' };
      const already = config.constants.get('LazyCheckpoint');
      if (already?.kind === 'bool' && already.value) return { untried: 'its checkpoints are lazy' };
      const betweenSteps = told ? 'CheckpointHighWatermark' : null;
      return { constants: { LazyCheckpoint: 'TRUE' }, everySchedule: false, betweenSteps, bound: 'lazy checkpoints' };
    }
  }
}

/** Replicas, a controller and messages; else only two logs (TwoLogs.tla). */
export function isOfTheProtocol({ constants }: ModelConfig): boolean {
  return constants.has('Replicas');
}

/** One more of what the model is about. */
function nextBudget(config: ModelConfig): Budget {
  if (!isOfTheProtocol(config)) return 'MaxOffset';
  return ORDER.slice(0, 3).find((name) => budget(config, name) > 0) ?? 'MaxElections';
}

function budgets(raised: Partial<Record<Budget, number>>): Variant {
  const entries = Object.entries(raised) as [Budget, number][];
  return {
    constants: Object.fromEntries(entries.map(([name, number]) => [name, String(number)])),
    everySchedule: false,
    betweenSteps: null,
    bound: entries.map(([name, number]) => amount(name, number)).join(', '),
  };
}

function inWords(config: ModelConfig): string {
  const names: Budget[] = ['MaxRecords', 'MaxElections', 'MaxCrashes', 'MaxPowerLosses'];
  return names.flatMap((name) => (budget(config, name) > 0 ? amount(name, budget(config, name)) : [])).join(', ');
}

function amount(name: Budget, number: number): string {
  return `${number === 0 ? 'no' : number} ${BUDGETS[name][number === 1 ? 0 : 1]}`;
}

function budget(config: ModelConfig, name: Budget): number {
  const value: Value | undefined = config.constants.get(name);
  return value?.kind === 'int' ? Number(value.value) : 0;
}

/** Pure: the text of a configuration with a variant's constants, and one invariant more. */
export function withVariant(text: string, variant: Variant, invariant?: string): string {
  const lines = text.split('\n').flatMap((line) => {
    const name = /^ {4}(\w+) (?:=|<-) /.exec(line)?.[1] ?? '';
    if (name === 'Told' && variant.everySchedule) return [];
    const value = variant.constants[name];
    return [value === undefined ? line : `    ${name} = ${value}`];
  });
  return lines
    .join('\n')
    .replace(/^INVARIANTS /m, invariant === undefined ? 'INVARIANTS ' : `INVARIANTS ${invariant} `);
}
