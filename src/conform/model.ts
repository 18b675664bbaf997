import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { modelConfig, specFolder } from '../claims/index.ts';
import type { Ghosts } from '../replay/index.ts';
import { type Bounds, boundsOf, configOf, ghosts, histories, isWithin, mapping, showStep } from '../replay/index.ts';
import type { SystemConfig, WorldStep } from '../systems/system.ts';
import { parse, str, type Value } from '../tla/index.ts';

/** A model of spec/models, as far as an implementation must know it: the cluster, and what MC.tla lets happen. */
export interface Model {
  readonly name: string;
  readonly constants: ReadonlyMap<string, Value>;
  readonly config: SystemConfig;
  readonly bounds: Bounds;
  /** Of a told model: the steps, one after the other, and no others. */
  readonly schedule: readonly string[] | null;
  /** Ghosts that only this model has (spec/Readers.tla). */
  readonly remembered: readonly string[];
  /** The schedule is only how it begins. */
  readonly thenAnything?: boolean;
}

/** A model that cannot be explored: it narrows the steps in a way that is not known here. A message for people. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
}

export interface ModelOptions {
  readonly folder?: string;
  /** Instead of the model's own. */
  readonly profile?: string;
}

export function loadModel(name: string, { folder = specFolder, profile }: ModelOptions = {}): Model {
  const { constants: own, substitutions } = modelConfig(name, folder);
  const constants = profile === undefined ? own : new Map([...own, ['Profile', str(profile)] as const]);
  const vars = [...Object.keys(mapping), ...Object.keys(ghosts)];
  return {
    name,
    constants,
    config: configOf({ vars, constants }),
    bounds: boundsOf(constants),
    schedule: substitutions.has('Told') ? scheduleOf(name, folder) : null,
    remembered: substitutions.has('Noted') ? Object.keys(histories) : [],
    thenAnything: substitutions.get('Told') === 'ToldFirst',
  };
}

/** Whether the model lets this step happen, which the protocol allows. `depth`: steps from the initial state, 0 there. */
export function allows(model: Model, step: WorldStep, seen: Ghosts, epoch: number, depth: number): boolean {
  if (!isWithin(model.bounds, step, seen, epoch)) return false;
  if (model.schedule === null || (model.thenAnything && depth >= model.schedule.length)) return true;
  return model.schedule[depth] === showStep(step);
}

/** A told schedule stands in its module, or in the one that it extends, as a sequence of tuples. */
function scheduleOf(name: string, folder: string): string[] {
  const text = readFileSync(join(folder, 'models', `${name}.tla`), 'utf8');
  const told = /\n(?:Schedule|Before) ==\s*(<<[\s\S]*?>>>>)/.exec(text)?.[1];
  const extended = /^EXTENDS\s+(\w+)/m.exec(text)?.[1];
  if (told === undefined && extended !== undefined && extended !== 'MC') return scheduleOf(extended, folder);
  const steps = told === undefined ? null : parse(told.replaceAll(/\\\*.*/g, ''));
  if (steps?.kind !== 'tuple')
    throw new ModelError(`${name} narrows the steps, and has no Schedule (or Before) to know them by.`);
  return steps.elements.map((step) => {
    const [action, ...args] = step.kind === 'tuple' ? step.elements.map(plain) : [];
    return showStep({ action: String(action), args });
  });
}

function plain(value: Value): string | number {
  if (value.kind === 'int') return Number(value.value);
  return value.kind === 'string' ? value.value : '';
}
