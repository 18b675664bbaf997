import type { WorldStep } from '../../src/systems/system.ts';
import { actorOf } from './labels.ts';
import type { Choice, Session } from './session.ts';

/** Who can do something now, and what. */
export interface Actor {
  readonly name: string;
  readonly role: string;
  readonly steps: readonly WorldStep[];
}

/** The replicas, in order, and the controller: each with what it can do. Who can do nothing is left out. */
export function actorsOf(session: Session, choices: readonly Choice[]): Actor[] {
  const world = session.opened.world(session.opened.last);
  const steps = choices.flatMap(({ possible }) => possible);
  const ofReplica = world.replicas.map(({ name, role }): Actor => {
    const own = steps.filter((step) => actorOf(step) === name);
    return { name, role, steps: own };
  });
  const others = steps.filter((step) => !ofReplica.some((actor) => actor.steps.includes(step)));
  const controller = { name: 'Controller', role: '', steps: others };
  return [...ofReplica, controller].filter(({ steps: own }) => own.length > 0);
}
