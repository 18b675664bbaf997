/**
 * Conformance without sampling: in every reachable state of a model, a system does exactly what the specification allows.
 */
export { type CheckOptions, type Conformance, checkGraph, type Deviation, type PathStep } from './check.ts';
export { type Coverage, coverageOf, mergeCoverage } from './coverage.ts';
export { type Dump, type DumpOptions, dumpGraph } from './dump.ts';
export { GraphStates } from './graphStates.ts';
export { loadModel, type Model, ModelError } from './model.ts';
export { MemorySubject, type Subject, type Successor } from './subject.ts';
