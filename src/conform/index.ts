/**
 * Conformance without sampling: in every reachable state of a model, a system does exactly what the specification allows.
 */
export { plainOf } from './anything.ts';
export { type CheckOptions, type Conformance, checkGraph, type Deviation, type PathStep } from './check.ts';
export { Clients } from './clients.ts';
export { type Coverage, coverageOf, mergeCoverage } from './coverage.ts';
export { type Drive, type DriveDeviation, type DriveOptions, driveGraph } from './drive.ts';
export { type Dump, type DumpOptions, dumpGraph, dumpModule } from './dump.ts';
export { type Explored, type ExploreOptions, explore, type Violation } from './explore.ts';
export { GraphStates } from './graphStates.ts';
export { type Breach, type ClientEvent, judgeHistory } from './history.ts';
export { loadModel, type Model, ModelError } from './model.ts';
export { type Shrunk, shrink, stepsOfTrace } from './shrink.ts';
export { LoadedStates, MemorySubject, type Subject, type Successor } from './subject.ts';
export { SystemSubject } from './systemSubject.ts';
