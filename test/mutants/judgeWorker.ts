/** A thread that holds mutants against graphs, one after the other. It can be stopped where a mutant never ends. */
import { parentPort } from 'node:worker_threads';
import { checkGraph, GraphStates, LoadedStates, loadModel, type MemorySubject } from '../../src/conform/index.ts';
import { readGraphFile } from '../../src/graph/index.ts';
import { nameOf, type Rung } from './rungs.ts';
import { Sandbox } from './sandbox.ts';

export interface Task {
  readonly file: string;
  readonly text: string;
  /** The model that is to judge it. */
  readonly rung: Rung;
}

/** `alive`: it is still at work; `judged`: what told the mutant from the original, null if nothing did. */
export type Report = { readonly kind: 'alive' } | { readonly kind: 'judged'; readonly killedBy: string | null };

const port = parentPort!;
const say = (report: Report): void => port.postMessage(report);
const sandbox = await Sandbox.of('src/conform/subject.ts');
const graphs = new Map<string, Promise<Graph>>();

port.on('message', async (task: Task) => {
  say({ kind: 'alive' });
  say({ kind: 'judged', killedBy: await judge(task) });
});

async function judge({ file, rung, text }: Task): Promise<string | null> {
  const mutant = loaded(file, text);
  if (typeof mutant === 'string') return mutant;
  const made = graphs.get(rung.file) ?? read(rung);
  graphs.set(rung.file, made);
  // A graph that cannot be read tells nothing: that is for whoever started this thread.
  const graph = await made;
  say({ kind: 'alive' });
  const difference = await differenceFrom(graph, mutant);
  return difference === null ? null : `${nameOf(rung)}${difference}`;
}

type Mutant = typeof MemorySubject;

/** What throws where the original does not differs as well. */
function loaded(file: string, text: string): Mutant | string {
  try {
    return sandbox.load<{ MemorySubject: Mutant }>(file, text).MemorySubject;
  } catch (error) {
    return `loading it: ${(error as Error).message}`;
  }
}

/** Null: it does what the graph says. */
async function differenceFrom({ model, prepared, states }: Graph, Mutated: Mutant): Promise<string | null> {
  try {
    const options = { stopAtFirst: true, onProgress: () => say({ kind: 'alive' }) };
    const { missing, extra } = await checkGraph(states, new Mutated(model, states, prepared), options);
    return missing + extra === 0 ? null : '';
  } catch (error) {
    return `: ${(error as Error).message}`;
  }
}

type Graph = Awaited<ReturnType<typeof read>>;

/** The graph's states are loaded by the original, and once. Frozen, for a mutant that changes one would spoil it for the next. */
async function read({ model: name, profile, file }: Rung) {
  const states = new GraphStates(await readGraphFile(file));
  const model = loadModel(name, profile === null ? {} : { profile });
  const plain = new LoadedStates(model, states);
  const prepared = {
    cluster: (state: number) => frozen(plain.cluster(state)),
    ghosts: (state: number) => frozen(plain.ghosts(state)),
  };
  return { states, model, prepared };
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) frozen(part);
  return value;
}
