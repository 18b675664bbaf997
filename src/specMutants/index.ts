/** Mutants of the specification, made from SANY's syntax tree, and models held against all of them in one run of TLC. */

export { type Fate, reachNothingElse, runBatch } from './batch.ts';
export { type Branch, branchesOf } from './branches.ts';
export {
  type Coverage,
  coverageOf,
  printCoverage,
  type Reached,
  reachedBy,
  readBranches,
  readCoverage,
} from './coverage.ts';
export { isSettled, keyOf, type Listed, listOf, printList, readList, readSpec, readSpecMutants } from './list.ts';
export { type Look, lookAt, TooLargeError } from './look.ts';
export { type Model, nameOf, type Wrap, wrapped } from './models.ts';
export { mutantModels } from './mutantModels.ts';
export { type Mutant, mutantsOf } from './mutants.ts';
export { parenthesesOf } from './parenthesised.ts';
export { mutated, schemataOf } from './schemata.ts';
export { parseXml, SyntaxTreeError, treeOf } from './syntaxTree.ts';
