import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { actions } from '../../src/replica/index.ts';
import { OBSERVABLE } from '../../src/systems/memory.ts';
import type { SystemConfig } from '../../src/systems/system.ts';

const text = readFileSync(new URL('../../docs/process-protocol.md', import.meta.url), 'utf8');

const config: Record<keyof SystemConfig, true> = {
  ...{ replicas: true, firstLeader: true, profileOf: true, minIsr: true, lazyCheckpoint: true, resumeSameEpoch: true },
  ...{ oldNews: true, lateEpochFile: true, lateReplies: true, eligibleLeaders: true },
};

test.each(Object.keys(actions))('the process protocol tells of the action %s', (name) => {
  expect(text).toMatch(new RegExp(`\\| .*\`${name}\\(`));
});

test.each([...OBSERVABLE])('the process protocol tells of the field %s', (name) => {
  expect(text).toMatch(new RegExp(`^\\| [^|]*\`${name}\``, 'm'));
});

test.each(Object.keys(config))('the process protocol tells of the setting %s', (name) => {
  expect(text).toMatch(new RegExp(`"${name}":|\`${name}\``));
});
