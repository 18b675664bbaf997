/** What a line of a log may be: docs/conformance.md describes it for people. */
import { z } from 'zod';
import { actions } from '../replica/index.ts';

/** TLC's integers have 32 bits. */
const MOST = 2 ** 31 - 1;
const offset = z.int().min(-1).max(MOST);
const number = z.int().min(0).max(MOST);
const name = z
  .string()
  .min(1)
  .regex(/^[ !#-[\]-~]*$/, 'a name has ASCII letters, digits and signs, no " and no \\: TLC reads no others');
const recordId = z.union([z.string(), z.int()]);
const records = z.array(z.strictObject({ id: recordId, epoch: number }));
const entries = z.array(z.strictObject({ epoch: number, start: offset }));
const offsets = z.record(name, offset);
const election = z.strictObject({ epoch: number, leader: name, isr: z.array(name) }).partial();

/** Variables of one replica, and those of the controller: as many as the process likes. */
const state = z
  .strictObject({
    log: records,
    logEndOffset: offset,
    flushed: offset,
    epochCache: entries,
    epochFile: entries,
    checkpoint: offset,
    role: z.enum(['down', 'halted', 'starting', 'follower', 'leader']),
    leaderEpoch: number,
    leader: name,
    hw: offset,
    fetchState: z.enum(['idle', 'truncating', 'fetching', 'failed']),
    incarnation: number,
    isr: z.array(name),
    remoteLeo: offsets,
    remoteHw: offsets,
    isrProposal: z.strictObject({ isr: z.array(name), joining: name, inIncarnation: offset, answer: name }).partial(),
    epochStart: offset,
    pending: z.array(offset),
    controller: election,
    oldNews: z.array(election.required()),
    elr: z.array(name),
  })
  .partial();

const message = z
  .strictObject({
    type: z.enum(['FetchRequest', 'FetchResponse', 'OffsetsForLeaderEpochRequest', 'OffsetsForLeaderEpochResponse']),
    follower: name,
    leader: name,
    incarnation: offset,
    leaderEpoch: offset,
    offset,
    lastFetchedEpoch: offset,
    asked: offset,
    error: name,
    epoch: offset,
    diverging: z.strictObject({ epoch: offset, endOffset: offset }),
    endOffset: offset,
    hw: offset,
    records,
  })
  .partial();

const actionName = z.enum(Object.keys(actions) as [keyof typeof actions, ...(keyof typeof actions)[]]);

/** Other fields (a time, a thread) are not looked at. */
export const eventLine = z.object({
  by: name,
  action: z.union([actionName, z.array(actionName).min(1)]).optional(),
  args: z.array(z.union([z.string(), offset, z.null()])).optional(),
  id: recordId.optional(),
  of: name.optional(),
  state: state.optional(),
  received: message.optional(),
  sent: message.optional(),
  told: z.array(recordId).optional(),
});

export const headerLine = z.object({
  log: z.literal('leader-epoch'),
  version: z.literal(1),
  config: z.object({
    replicas: z.array(name).min(1),
    firstLeader: name,
    profileOf: z.record(name, z.string()),
    minIsr: z.int().min(1).default(1),
    lazyCheckpoint: z.boolean().default(true),
    resumeSameEpoch: z.boolean().default(false),
    oldNews: z.boolean().default(true),
    eligibleLeaders: z.boolean().default(false),
  }),
  hidden: z.array(actionName).default([]),
});

export type EventLine = z.infer<typeof eventLine>;
export type HeaderLine = z.infer<typeof headerLine>;
export type RecordId = z.infer<typeof recordId>;
