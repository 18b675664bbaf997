import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Claim, modelConfig, specFolder } from '../claims/index.ts';
import { actionOf, configOf, ghosts, mapping, Run, stepOf } from '../replay/index.ts';
import { parse, type Value } from '../tla/index.ts';
import type { State, Trace } from '../trace/index.ts';

/**
 * The run of a model that tells its schedule (`Schedule == <<<<"Write", "A", "all">>, …>>`), on the implementation. Null:
 * the model tells none, or the implementation does not follow it.
 */
export async function toldRun({ claim, model, profile, property }: Claim): Promise<Trace | null> {
  const text = await readFile(join(specFolder, 'models', `${model}.tla`), 'utf8').catch(() => '');
  const [, told] = /^Schedule ==\n([\s\S]*?)\n\n/m.exec(text) ?? [];
  if (told === undefined) return null;
  const { constants } = modelConfig(model);
  const vars = [...Object.keys(mapping), ...Object.keys(ghosts)];
  const run = new Run(configOf({ vars, constants }));
  const states: State[] = [run.state()];
  const actions: Trace['actions'][number][] = [null];
  for (const [name, ...args] of stepsOf(parse(told.replaceAll(/\\\*.*$/gm, '')))) {
    const step = name?.kind === 'string' ? stepOf({ name: name.value, args }) : null;
    if (step === null || run.step(step).kind === 'refused') return null;
    states.push(run.state());
    actions.push(actionOf(step));
  }
  return { vars, states, actions, constants, meta: { claim, model, profile, property: property[0] } };
}

function stepsOf(schedule: Value): (readonly Value[])[] {
  const elements = schedule.kind === 'tuple' ? schedule.elements : [];
  return elements.map((step) => (step.kind === 'tuple' ? step.elements : []));
}
