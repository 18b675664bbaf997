export * from '../../src/replay/walk.ts';
