/** Producers, and their answers: at once, or when the high watermark has come to what they wrote. */
import { isProblem, placed, readHeader, readRecords } from '../disk/index.ts';
import type { StepResult } from '../replica/index.ts';
import { errors, type RequestOf, type ResponseOf } from '../wire/index.ts';
import { type BrokerOptions, isOurs } from './options.ts';

const ALL = -1;
/** In a batch. Its header alone could announce two billion, and compressed ones are not looked into. */
const MAX_RECORDS = 10_000;
/** Of a batch, as Kafka has it: message.max.bytes. */
const MAX_BATCH_BYTES = 1_048_588;

/** Of a batch that belongs to a transaction, or is a coordinator's marker: among its attributes. */
const TRANSACTIONAL_OR_CONTROL = 0x30;
const LOW_ATTRIBUTES_AT = 22;

export interface Replies {
  /** With null for who wants none. */
  answer(body: ResponseOf<'Produce'> | null): void;
  /** Who wants no answer learns by this that something is wrong, and asks anew who leads. */
  close(why: string): void;
}

export class Producers {
  readonly #options: BrokerOptions;
  /** By the offset of the last record that they wrote. */
  readonly #waiting = new Map<number, (code: number | null) => void>();
  readonly #timers = new Map<number, () => void>();
  /** Offsets that were acknowledged before their producer could be noted down: with a leader that is the whole ISR. */
  readonly #early = new Map<number, number | null>();

  constructor(options: BrokerOptions) {
    this.#options = options;
  }

  produce({ acks, timeoutMs, topics }: RequestOf<'Produce'>, { answer, close }: Replies): void {
    const codes = new Map<string, number>();
    let waits: number | null = null;
    let baseOffset = -1;
    for (const { name, partitions } of topics) {
      for (const { index, records } of partitions) {
        const known = isOurs(this.#options, name, index);
        const result = known ? this.#append(records, acks) : errors.UNKNOWN_TOPIC_OR_PARTITION;
        codes.set(`${name} ${index}`, typeof result === 'number' ? result : errors.NONE);
        if (typeof result === 'number') continue;
        baseOffset = result.baseOffset;
        if (acks === ALL) waits = result.endOffset - 1;
      }
    }
    const done = (code: number | null): void => {
      if (acks === 0) {
        const refused = [...codes.values()].find((one) => one !== errors.NONE);
        if (refused === undefined) answer(null);
        else close(`what it wrote is refused (error ${refused}), and it wants no answer (acks=0)`);
        return;
      }
      answer({
        throttleTimeMs: 0,
        topics: topics.map(({ name, partitions }) => ({
          name,
          partitions: partitions.map(({ index }) => {
            const errorCode = codes.get(`${name} ${index}`) || (code ?? errors.NONE);
            return {
              ...{ index, errorCode, baseOffset: BigInt(errorCode === errors.NONE ? baseOffset : -1) },
              ...{ logAppendTimeMs: -1n, logStartOffset: 0n, recordErrors: [], errorMessage: null },
            };
          }),
        })),
      });
    };
    if (waits === null) done(null);
    else this.#wait(waits, timeoutMs, done);
  }

  /** What a step of the protocol told producers. */
  told({ acknowledged, refused }: StepResult): void {
    for (const { acks, offset } of acknowledged) if (acks === 'all') this.#finish(offset, null);
    for (const { acks, error, offset } of refused) {
      const code = error === 'NOT_LEADER' ? errors.NOT_LEADER_OR_FOLLOWER : errors.NOT_ENOUGH_REPLICAS_AFTER_APPEND;
      if (acks === 'all') this.#finish(offset, code);
    }
  }

  #wait(offset: number, timeoutMs: number, done: (code: number | null) => void): void {
    this.#waiting.set(offset, done);
    const early = this.#early.get(offset);
    this.#early.clear();
    if (early !== undefined) this.#finish(offset, early);
    if (!this.#waiting.has(offset)) return;
    const cancel = this.#options.host.after(timeoutMs, () => this.#finish(offset, errors.REQUEST_TIMED_OUT));
    this.#timers.set(offset, cancel);
  }

  #finish(offset: number, code: number | null): void {
    const done = this.#waiting.get(offset);
    if (done === undefined) {
      this.#early.set(offset, code);
      return;
    }
    this.#waiting.delete(offset);
    this.#timers.get(offset)?.();
    this.#timers.delete(offset);
    done(code);
  }

  /** An error code, or where the batch now is. */
  #append(records: Uint8Array | null, acks: number): number | { baseOffset: number; endOffset: number } {
    const { config, identify, member } = this.#options;
    if (acks !== ALL && acks !== 0 && acks !== 1) return errors.INVALID_REQUIRED_ACKS;
    const { disk, memory } = member.replica;
    if (memory.role !== 'leader') return errors.NOT_LEADER_OR_FOLLOWER;
    const header = readHeader(records ?? new Uint8Array(), 0);
    if (isProblem(header)) return header.kind === 'unsupported' ? errors.INVALID_RECORD : errors.CORRUPT_MESSAGE;
    if (header.size !== records?.length || header.magic !== 2) return errors.INVALID_RECORD;
    if (header.size > MAX_BATCH_BYTES) return errors.MESSAGE_TOO_LARGE;
    if ((records[LOW_ATTRIBUTES_AT]! & TRANSACTIONAL_OR_CONTROL) !== 0) return errors.INVALID_RECORD;
    if (!header.compressed && !areRecords(records)) return errors.INVALID_RECORD;
    if (header.lastOffset - header.baseOffset >= MAX_RECORDS) return errors.MESSAGE_TOO_LARGE;
    if (acks === ALL && memory.isr.length < config.minIsr) return errors.NOT_ENOUGH_REPLICAS;
    const baseOffset = disk.log.length;
    const batch = placed(records, baseOffset, memory.leaderEpoch);
    this.#early.clear();
    const written = member.write(identify(batch), acks === ALL ? 'all' : '1', batch);
    return written === null ? errors.NOT_LEADER_OR_FOLLOWER : { baseOffset, endOffset: written.endOffset };
  }
}

function areRecords(batch: Uint8Array): boolean {
  try {
    readRecords(batch);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
