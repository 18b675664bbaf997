import type { Mark } from './drawing.ts';
import { differingOffsets, isAcked, isAlive, isElected, leaderInSameEpoch, missingFrom, sameRecord } from './facts.ts';
import { holdersPhrase } from './sentences/loss.ts';
import type { Told } from './steps.ts';
import { recordText, sentence } from './words.ts';
import { type Replica, UNDEFINED, type World } from './world.ts';

/** What breaks a property, in words, and where to point to in the drawing. */
export interface Breach {
  readonly text: string;
  readonly marks: readonly Mark[];
}

/** By property: how the last state breaks it. None: it does not, as far as the state alone tells. */
export const BREACHES: Readonly<Record<string, (told: Told) => Breach[]>> = {
  CommittedSurvives: (told) => lostCommitted(told, false),
  CommittedSurvivesAnything: (told) => lostCommitted(told, true),

  AckedSurvives: (told) => lostAcked(told, 'all'),
  AckedByOneSurvives: (told) => lostAcked(told, '1'),

  UnansweredIsGone: ({ last }) =>
    electedLeaders(last).flatMap((leader) =>
      leader.log
        .slice(0, leader.hw)
        .filter(({ id }) => unanswered(last).includes(id))
        .map(({ id }) => ({
          text: `Nobody will tell the producer of m${id} (acks=all) that it is stored, and it is: ${leader.name}, the leader of epoch e${leader.leaderEpoch}, has committed it.`,
          marks: [],
        })),
    ),

  UnansweredIsStored: ({ last }) =>
    electedLeaders(last).flatMap((leader) =>
      unanswered(last)
        .filter((id) => !leader.log.some((record) => record.id === id))
        .map((id) => ({
          text: `Nobody will tell the producer of m${id} (acks=all) that it is not stored, and it is not: ${leader.name}, the leader of epoch e${leader.leaderEpoch}, does not have it.`,
          marks: [],
        })),
    ),

  FollowerAgrees: ({ last }) =>
    last.replicas.flatMap((follower) => {
      const leader = leaderInSameEpoch(last, follower);
      if (leader === null || follower.fetchState !== 'fetching') return [];
      return differingOffsets(follower, leader).map((offset) => ({
        text: `${follower.name} follows ${leader.name} in epoch e${leader.leaderEpoch} and has finished its truncation, but at offset ${offset} ${follower.name} has ${at(follower, offset)} and ${leader.name} has ${at(leader, offset)}. They stay so: a follower only appends.`,
        marks: [],
      }));
    }),

  AppendAgrees: ({ last }) =>
    last.network.flatMap(({ type, follower: name, error, diverging, records, leaderEpoch }) => {
      const follower = last.replicas.find((replica) => replica.name === name);
      const leader = follower ? leaderInSameEpoch(last, follower) : null;
      if (type !== 'FetchResponse' || error !== 'none' || diverging !== null || !follower || !leader) return [];
      const appended = { ...follower, log: [...follower.log, ...records] };
      const late = leaderEpoch < follower.leaderEpoch ? ` It asked for them in epoch e${leaderEpoch}.` : '';
      return differingOffsets(appended, leader).map((offset) => ({
        text:
          offset < follower.log.length
            ? `${name} is sent records to append, but at offset ${offset} it has ${at(follower, offset)} and ${leader.name} has ${at(leader, offset)}.`
            : `${name} is sent ${at(appended, offset)} for offset ${offset}, where ${leader.name} has ${at(leader, offset)}.${late}`,
        marks: [],
      }));
    }),

  NoDivergence: ({ last }) =>
    last.uncleanElections > 0
      ? []
      : pairs(last).flatMap(([a, b]) =>
          differingOffsets(a, b)
            .filter((offset) => offset < a.hw && offset < b.hw)
            .map((offset) => ({
              text: `At offset ${offset} ${a.name} has ${at(a, offset)} and ${b.name} has ${at(b, offset)}, and both high watermarks (${a.hw} and ${b.hw}) say that this is committed. No election was unclean.`,
              marks: [],
            })),
        ),

  LogMatching: ({ last }) =>
    pairs(last).flatMap(([a, b]) => {
      const offset = a.log.findIndex(
        (record, index) =>
          record.epoch === b.log[index]?.epoch && a.log.slice(0, index + 1).some((r, i) => !sameRecord(r, b.log[i])),
      );
      if (offset === -1) return [];
      const [first] = differingOffsets(a, b) as [number];
      const here = `At offset ${offset} both ${a.name} and ${b.name} have a record of epoch e${a.log[offset]!.epoch}`;
      return [
        first === offset
          ? { text: `${here}, but not the same: ${at(a, offset)} and ${at(b, offset)}.`, marks: [] }
          : {
              text: `${here}, but before it, at offset ${first}, ${a.name} has ${at(a, first)} and ${b.name} has ${at(b, first)}.`,
              marks: [],
            },
      ];
    }),

  EpochsMonotone: ({ last }) =>
    last.replicas.flatMap((replica) =>
      replica.log.flatMap(({ epoch }, offset) => {
        const before = replica.log[offset - 1]?.epoch ?? 0;
        if (epoch >= before && epoch <= last.controller.epoch) return [];
        const why = epoch < before ? `after one of e${before}` : `although no election has come so far`;
        return [
          {
            text: `At offset ${offset} ${replica.name} has ${at(replica, offset)}, ${why}.`,
            marks: [{ offset, sign: '✗', text: 'this epoch' }],
          },
        ];
      }),
    ),

  RoundsProgress: ({ last }) =>
    last.network
      .filter(({ type, endOffset }) => type === 'OffsetsForLeaderEpochResponse' && endOffset !== UNDEFINED)
      .map(({ follower, leader, epoch, asked }) => ({
        text: `${leader} tells ${follower} of epoch e${epoch}, which ${follower} never had. It will cut no record, keep e${asked} in its cache, and ask for it again.`,
        marks: [],
      })),

  CutsOnlyWhatDiverges: ({ last }) =>
    last.network
      .filter(({ type }) => type === 'OffsetsForLeaderEpochResponse')
      .map(({ follower, leader, endOffset }) => ({
        text: `${follower} is about to cut records that ${leader} has too: the answer is ${endOffset === UNDEFINED ? '"unknown"' : endOffset}.`,
        marks: [],
      })),

  NoPhantom: ({ last }) => contradictions(last, last.readable, 'A consumer has read'),

  NoPhantomFromFollower: ({ last }) =>
    last.replicas
      .filter(({ role }) => role === 'follower')
      .flatMap((follower) =>
        contradictions(last, placed(follower, follower.hw), `A consumer of the follower ${follower.name} reads`),
      ),

  NoPhantomAtLogEnd: ({ last }) =>
    last.replicas
      .filter(({ role }) => role === 'leader')
      .flatMap((leader) =>
        contradictions(
          last,
          placed(leader, leader.log.length),
          `A consumer that read to the end of ${leader.name}'s log would read`,
        ),
      ),

  ResumesOnItsPast: ({ last }) =>
    electedLeaders(last).flatMap((leader) =>
      last.readable
        .filter(({ offset, id }) => offset < leader.hw && leader.log[offset]?.id !== id)
        .map(({ offset, id }) => ({
          text: `A consumer that has read m${id} at offset ${offset} goes on from ${offset + 1} at ${leader.name}, which has ${at(leader, offset)} there. Nothing tells it.`,
          marks: [{ offset, sign: '✗', text: 'not what was read' }],
        })),
    ),

  Refines: ({ last }) => {
    const { leader, isr } = last.controller;
    const holder = last.replicas.find(({ name }) => name === (leader ?? [...isr].sort()[0]));
    if (holder === undefined) return [];
    return last.readable
      .filter(({ offset, id }) => holder.log[offset]?.id !== id)
      .map(({ offset, id }) => ({
        text: `A consumer could read m${id} at offset ${offset}. The controller has elected ${holder.name}, whose log ${holder.log[offset] === undefined ? 'ends before that: what users see gets shorter' : `has ${at(holder, offset)} there: what users see is rewritten`}.`,
        marks: [{ offset, sign: '✗', text: `m${id} was read here` }],
      }));
  },

  CacheMatchesLog: ({ last }) =>
    last.replicas.filter(isAlive).flatMap((replica) =>
      replica.log.flatMap(({ epoch }, offset) => {
        const says = replica.epochCache.filter(({ start }) => start <= offset).at(-1)?.epoch;
        if (says === epoch) return [];
        const cache = says === undefined ? 'has no epoch' : `has epoch e${says}`;
        return [
          {
            text: `At offset ${offset} ${replica.name} has ${at(replica, offset)}, for which its epoch cache ${cache}.`,
            marks: [{ offset, sign: '✗', text: 'this epoch' }],
          },
        ];
      }),
    ),
};

interface Read {
  readonly offset: number;
  readonly id: number;
}

function placed({ log }: Replica, end: number): Read[] {
  return log.slice(0, end).map(({ id }, offset) => ({ offset, id }));
}

function contradictions({ readable }: World, reads: readonly Read[], who: string): Breach[] {
  return reads.flatMap(({ offset, id }) =>
    readable
      .filter((other) => other.offset === offset && other.id < id)
      .concat(reads === readable ? [] : readable.filter((other) => other.offset === offset && other.id > id))
      .map((other) => ({
        text: `${who} m${id} at offset ${offset}, where m${other.id} was read too.`,
        marks: [{ offset, sign: '✗', text: 'two records were read here' }],
      })),
  );
}

function lostAcked(told: Told, by: string): Breach[] {
  return electedLeaders(told.last).flatMap((leader) =>
    told.last.acked
      .filter(({ id, acks }) => acks === by && !told.last.destroyed.includes(id))
      .filter(({ id }) => !leader.log.some((record) => record.id === id))
      .map(({ id }) => ({
        text: sentence(
          `The producer of m${id} asked for acks=${by} and was told that it is stored, but it is not in the log of ${leader.name}, the leader of epoch e${leader.leaderEpoch}.`,
          whenLost(told, leader, id),
        ),
        marks: [],
      })),
  );
}

/** Records whose producers were not told, and do not wait any more. */
function unanswered({ replicas, acked }: World): number[] {
  const told = [
    ...acked.map(({ id }) => id),
    ...replicas.flatMap(({ log, pending }) => pending.map((o) => log[o]?.id)),
  ];
  const written = replicas.flatMap(({ log }) => log.map(({ id }) => id));
  return [...new Set(written)].filter((id) => !told.includes(id)).sort((a, b) => a - b);
}

function lostCommitted(told: Told, evenDestroyed: boolean): Breach[] {
  return electedLeaders(told.last).flatMap((leader) =>
    missingFrom(told.last, leader, { evenDestroyed }).map(({ offset, id }) => {
      const acked = isAcked(told.last, id) ? ' and its producer was told that it is stored' : '';
      const there = leader.log[offset];
      const has = there === undefined ? `ends at offset ${leader.log.length}` : `has ${recordText(there)} there`;
      return {
        text: sentence(
          `m${id} was committed at offset ${offset}${acked}, but the log of ${leader.name}, the leader of epoch e${leader.leaderEpoch}, ${has}.`,
          whenLost(told, leader, id),
          holdersPhrase(told.last, [{ id }]),
        ),
        marks: [{ offset, sign: '✗', text: `${leader.name} does not have m${id}` }],
      };
    }),
  );
}

/** The step in which a log lost a record. */
function whenLost({ steps }: Told, { name }: Replica, id: number): string {
  const has = (world: World) => world.replicas.some((r) => r.name === name && r.log.some((record) => record.id === id));
  const index = steps.findLastIndex(({ before, after }) => has(before) && !has(after));
  return index === -1 ? `${name} never had it.` : `${name} lost it in step ${index + 1}.`;
}

function electedLeaders(world: World): Replica[] {
  return world.replicas.filter((replica) => isElected(world, replica));
}

function pairs({ replicas }: World): [Replica, Replica][] {
  return replicas.flatMap((a, index) => replicas.slice(index + 1).map((b): [Replica, Replica] => [a, b]));
}

function at(replica: Replica, offset: number): string {
  return recordText(replica.log[offset]!);
}
