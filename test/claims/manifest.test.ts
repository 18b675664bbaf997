import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { loadBeyond, loadClaims, manifestOf } from '../../src/claims/index.ts';
import { SPEC } from '../support/spec.ts';

/** The rules of tlaplus/Examples' manifest-schema.json, as far as they reach here. */
const model = z.strictObject({
  path: z.string().endsWith('.cfg'),
  runtime: z.string().regex(/^(([0-9][0-9]:[0-9][0-9]:[0-9][0-9])|unknown)$/),
  mode: z.literal('exhaustive search'),
  result: z.enum(['success', 'safety failure', 'liveness failure']),
  distinctStates: z.int().optional(),
  stateDepth: z.int().optional(),
});
const schema = z.strictObject({
  sources: z.array(z.string()),
  authors: z.array(z.string()),
  tags: z.array(z.enum(['beginner', 'intermediate', 'ewd'])),
  modules: z.array(
    z.strictObject({
      path: z.string().endsWith('.tla'),
      features: z.array(z.enum(['pluscal', 'action composition'])),
      models: z.array(model),
    }),
  ),
});

const manifest = schema.parse(JSON.parse(readFileSync(join(SPEC, 'manifest.json'), 'utf8')));

test('spec/manifest.json is what `leader-epoch claims --manifest` prints', () => {
  expect(manifest).toEqual(manifestOf(loadClaims(), loadBeyond()));
});

test('it names every module and every configuration that there is, once', () => {
  const named = manifest.modules.flatMap(({ path, models }) => [path, ...models.map((one) => one.path)]);
  const files = [SPEC, join(SPEC, 'models')]
    .flatMap((folder) => readdirSync(folder))
    .filter((name) => /\.(tla|cfg)$/.test(name));
  expect(named.map((path) => basename(path)).sort()).toEqual(files.sort());
});

test('its counts are those of claims.json, and only a success has any', () => {
  const claims = loadClaims();
  for (const { path, result, distinctStates, stateDepth } of manifest.modules.flatMap(({ models }) => models)) {
    const claim = claims.find((one) => one.model === basename(path, '.cfg'));
    expect([result === 'success', distinctStates, stateDepth], path).toEqual([
      claim?.verdict === 'holds',
      claim?.counts.states,
      claim?.counts.depth,
    ]);
  }
});

test('a configuration belongs to the module whose name it has', () => {
  for (const { path, models } of manifest.modules) {
    expect(models.map((one) => one.path)).toEqual(models.length === 0 ? [] : [path.replace(/\.tla$/, '.cfg')]);
  }
});
