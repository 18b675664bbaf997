/** Mutants of the specification, made from SANY's syntax tree, and claims held against all of them in one run of TLC. */
export { type Fate, runBatch } from './batch.ts';
export { isSettled, keyOf, type Listed, listOf, printList, readList, readSpecMutants } from './list.ts';
export { type Mutant, mutantsOf } from './mutants.ts';
export { mutated, schemataOf } from './schemata.ts';
export { parseXml, SyntaxTreeError, treeOf } from './syntaxTree.ts';
