/** Releases whose own classes are driven, and the profile of spec/Profiles.tla that should be theirs. */
export const KAFKA_PROFILES: Readonly<Record<string, string>> = {
  '1.1.1+0.10.2': 'Kafka_0_10_2',
  '0.11.0.3': 'Kafka_0_11_0',
  '1.1.0': 'Kafka_1_1_0',
  '1.1.1': 'Kafka_1_1_1',
  '2.0.0': 'Kafka_2_0_0',
  '2.0.1+1.1': 'Kafka_2_0_1_as_1_1',
  '2.0.1': 'Kafka_2_0_1',
  '2.8.0': 'Kafka_2_8_0',
  '2.8.2': 'Kafka_2_8',
  '3.4.0': 'Kafka_2_8',
  '3.9.1': 'Kafka_3_9',
  '4.4.0': 'Kafka_4_4',
};

/** What a run without options takes: one release for each rule that its code has, so that it is over in about a minute. */
export const QUICK_RELEASES = Object.keys(KAFKA_PROFILES).filter(
  (release) => !['0.11.0.3', '1.1.0', '2.0.1+1.1'].includes(release),
);

/** Releases whose brokers are run, and the profile that should be theirs. */
export const BROKER_PROFILES: Readonly<Record<string, string>> = {
  '0.10.2.2': 'Kafka_0_10_2',
  '1.1.1+0.10.2': 'Kafka_0_10_2',
  '0.11.0.3': 'Kafka_0_11_0',
  '1.1.1': 'Kafka_1_1_1',
  '2.0.0': 'Kafka_2_0_0',
  '2.0.1+1.1': 'Kafka_2_0_1_as_1_1',
  '2.0.1': 'Kafka_2_0_1',
  '2.8.2': 'Kafka_2_8',
  '3.9.1': 'Kafka_3_9',
  '4.4.0': 'Kafka_4_4',
};

/** The cells on brokers that tell most: who has the bug, beside who has the mend. */
export const QUICK_CELLS: Readonly<Record<string, readonly string[]>> = {
  '0.10.2.2': ['fast-restart-told', 'hard-failures-told'],
  '0.11.0.3': ['fast-restart-told', 'hard-failures-told'],
  '1.1.1': ['fast-leader-change-1-1-1'],
  '2.0.1': ['fast-leader-change-1-1-1'],
  '4.4.0': ['fast-leader-change-1-1-1', 'fast-leader-change', 'hard-failures-told'],
};

export function isQuickCell(release: string, claim: string): boolean {
  return QUICK_CELLS[release]?.includes(claim) === true;
}
