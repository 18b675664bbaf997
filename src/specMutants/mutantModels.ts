import { loadClaims, pickClaims } from '../claims/index.ts';
import type { Model } from './models.ts';

const THREE = '{"A", "B", "C"}';

/**
 * The models that mutants are run through, small ones first: a mutant that one settles is not run again. A claim whose own
 * bound is too large for a hundred mutants, or breaks there, has a smaller one.
 */
const MODELS: readonly (readonly [claim: string, constants?: Readonly<Record<string, string>>])[] = [
  ['hard-failures-told'],
  ['hw-on-isr-reply'],
  ['joins-isr'],
  ['undefined-epoch-guarded'],
  ['undefined-epoch', { MaxElections: '0' }],
  ['delayed-high-watermark-lazy', { MaxElections: '0' }],
  ['late-records', { MaxElections: '1' }],
  ['fast-leader-change-1-1-1', { MaxElections: '1' }],
  ['delayed-high-watermark'],
  ['counts-diverging', { MaxElections: '1' }],
  ['no-entry-on-election', { MaxElections: '2' }],
  ['kip320-lost-messages', { MaxRecords: '1' }],
  ['kip320-unclean', { MaxRecords: '1' }],
  ['kip320-power-loss', { MaxRecords: '1', MaxElections: '1', MaxCrashes: '0' }],
  ['eligible-leaders', { MaxElections: '1' }],
  ['epoch-file-later', { MaxRecords: '2', MaxElections: '1' }],
  ['min-isr-kip101'],
  ['late-news-kip320'],
  ['asks-for-isr'],
  ['asks-for-isr', { MaxRecords: '1' }],
  ['missed-epoch'],
  ['acked-by-one', { MaxElections: '0' }],
  ['kip320-lazy', { MaxRecords: '1', MaxElections: '0' }],
  ['min-isr-alone', { MaxElections: '0' }],
  ['kip320-power-loss', { MaxRecords: '1', MaxElections: '0', MaxCrashes: '1' }],
  ['no-entry-on-election', { MaxRecords: '1', MaxElections: '1' }],
  ['stale-answer'],
  ['upgrade-half-raised', { MaxRecords: '1' }],
  ['upgrade-half-fenced', { MaxRecords: '1', MaxElections: '1' }],
  ['fast-leader-change-kip279', { MaxRecords: '1' }],
  ['undefined-epoch', { Profile: '"Kafka_1_1_0"', MaxRecords: '1' }],
  ['kip279-as-released', { MaxRecords: '2', MaxElections: '1' }],
  ['counts-proposed-isr', { MaxElections: '0' }],
  ['fast-leader-change-1-1-1', { MaxRecords: '1' }],
  ['fast-leader-change-1-1-1', { Replicas: THREE, MaxRecords: '0', MaxElections: '1' }],
  ['fast-leader-change-kip279', { Replicas: THREE, MaxRecords: '0', MaxElections: '1' }],
  ['inside-fetch', { MaxRecords: '1', MaxCrashes: '0' }],
  ['late-records', { MaxRecords: '1' }],
  ['eligible-leaders', { MinIsr: '1', MaxElections: '1' }],
  ['eligible-leaders', { MaxElections: '0', MaxUnclean: '1' }],
  ['kip320-unclean', { Profile: '"Kafka_0_10_2"', MaxRecords: '1' }],
  ['kip320-unclean', { Profile: '"Kafka_2_0_1"', MaxRecords: '1' }],
  ['kip320-lazy', { MaxRecords: '1', MaxElections: '1', MaxCrashes: '2' }],
  ['late-news-fenced', { MaxRecords: '1' }],
  ['missed-epoch', { Profile: '"TakesLateAnswers"', MaxElections: '3', MaxCrashes: '0' }],
  ['join-at-epoch-start', { MaxElections: '1', MaxCrashes: '0' }],
  ['kip320-clean', { Replicas: THREE, Profile: '"OwnHighWatermark"', MaxRecords: '0', MaxCrashes: '0' }],
  ['epoch-file-later-one-record', { MaxCrashes: '0', MaxPowerLosses: '1' }],
  ['checked-broker-epoch'],
];

/** @throws ClaimsError for a claim that is no more */
export function mutantModels(): Model[] {
  const claims = loadClaims();
  return MODELS.flatMap(([name, constants = {}]) =>
    pickClaims(claims, [name], () => false).map((claim) => ({ claim, constants })),
  );
}
