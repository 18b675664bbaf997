/** TLC's reachable graphs, as `-dump dot` writes them: read as they come, and kept small. Knows nothing of what they show. */
export { DotError } from './dotError.ts';
export { type DotEvents, DotReader } from './dotReader.ts';
export { readGraphFile } from './readFile.ts';
export { type GraphStep, readGraph, StateGraph } from './stateGraph.ts';
