export { seeded } from '../../src/replay/seeded.ts';
export * from '../../src/replay/walk.ts';
