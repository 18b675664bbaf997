/** Kafka's error codes, as far as they are met here, by the names of today. Source: Errors.java. */
const ERRORS: Readonly<Record<number, string>> = {
  0: 'none',
  1: 'OFFSET_OUT_OF_RANGE',
  3: 'UNKNOWN_TOPIC_OR_PARTITION',
  6: 'NOT_LEADER',
  7: 'REQUEST_TIMED_OUT',
  9: 'REPLICA_NOT_AVAILABLE',
  19: 'NOT_ENOUGH_REPLICAS',
  20: 'NOT_ENOUGH_REPLICAS_AFTER_APPEND',
  56: 'KAFKA_STORAGE_ERROR',
  74: 'FENCED_LEADER_EPOCH',
  75: 'UNKNOWN_LEADER_EPOCH',
};

export function errorName(code: number): string {
  return ERRORS[code] ?? `error ${code}`;
}
