import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PuppetQuorum, type Registration } from '../../../src/brokers/kraft/puppetQuorum.ts';
import { Connection } from '../../../src/brokers/wire/connection.ts';
import { FakeBroker } from './fakeBroker.ts';
import { captured, schemas } from './support.ts';

const topic = (name: string) =>
  ({ type: 'TopicRecord', message: { name, topicId: 'AAAAAAAAAAAAAAAAAAAAAg' } }) as const;

describe('a puppet for the KRaft controller', () => {
  let quorum: PuppetQuorum;
  let broker: FakeBroker;
  let registered: Registration[];

  beforeEach(async () => {
    registered = [];
    quorum = await PuppetQuorum.open({
      schemas,
      onRegistered: (registration) => {
        registered.push(registration);
        return [topic(`known to ${registration.broker}`)];
      },
      onChange: () => {},
    });
    broker = await FakeBroker.connect(1, quorum.port);
  });
  afterEach(async () => {
    broker.close();
    await quorum.close();
  });

  it('offers the APIs that it has, and no Fetch beyond version 17', async () => {
    const { apiKeys } = (await broker.call('ApiVersions', 4, {})) as { apiKeys: { apiKey: number }[] };
    expect(apiKeys.map(({ apiKey }) => apiKey).sort((a, b) => a - b)).toEqual([1, 18, 56, 62, 63]);
    expect(apiKeys).toContainEqual({ apiKey: 1, minVersion: 4, maxVersion: 17 });
  });

  it('answers a version of ApiVersions that is too new in version 0, for the broker to ask again', async () => {
    const frame = Buffer.concat([Buffer.from('00120063', 'hex'), Buffer.from('00000001ffff', 'hex')]);
    const connection = await Connection.open(quorum.port);
    expect((await connection.callRaw(frame)).int16()).toBe(35);
    connection.close();
  });

  it('tells who leads the metadata log to a broker that does not know', async () => {
    const reply = await broker.call('Fetch', 17, {
      replicaState: { replicaId: 1 },
      topics: [{ topicId: 'AAAAAAAAAAAAAAAAAAAAAQ', partitions: [{ currentLeaderEpoch: 0 }] }],
    });
    expect(reply).toMatchObject({
      responses: [{ partitions: [{ errorCode: 74, currentLeader: { leaderId: 1000, leaderEpoch: 1 } }] }],
    });
  });

  it('does not say how far the log is committed before the broker has registered', async () => {
    expect(await broker.fetch(1)).toMatchObject({ responses: [{ partitions: [{ errorCode: 0, highWatermark: -1 }] }] });
    await broker.register();
    expect(await broker.fetch(1)).toMatchObject({ responses: [{ partitions: [{ highWatermark: 1 }] }] });
  });

  it('lets a broker take part once it has acted upon what it had to know', async () => {
    await broker.register();
    expect(await broker.heartbeat()).toMatchObject({ errorCode: 0, isFenced: true });
    expect(quorum.isUnfenced(1)).toBe(false);
    expect(await broker.learn()).toMatchObject([{ type: 'TopicRecord', message: { name: 'known to 1' } }]);
    expect(await broker.heartbeat()).toMatchObject({ isCaughtUp: true, isFenced: false });
    expect(quorum.isUnfenced(1)).toBe(true);
    expect(await broker.learn()).toMatchObject([
      { type: 'BrokerRegistrationChangeRecord', message: { brokerId: 1, brokerEpoch: 1, fenced: -1 } },
    ]);
  });

  it('shows each broker its own log, and wakes the one that waits for it', async () => {
    const other = await FakeBroker.connect(2, quorum.port);
    await Promise.all([broker.register(), other.register()]);
    await Promise.all([broker.learn(), other.learn()]);
    const waiting = broker.learn();
    const offset = quorum.append(1, [topic('late news')]);
    expect(await waiting).toMatchObject([{ message: { name: 'late news' } }]);
    expect(quorum.hasApplied(1, offset)).toBe(false);
    await broker.heartbeat();
    expect(quorum.hasApplied(1, offset)).toBe(true);
    expect(await other.learn()).toEqual([]);
    other.close();
  });

  it('gives each life of a broker an epoch, and none to a registration that is only repeated', async () => {
    await broker.register();
    quorum.left(1);
    expect(await broker.heartbeat()).toMatchObject({ errorCode: 77 });
    await broker.register();
    expect(broker.brokerEpoch).toBe(2);
    const frame = captured('a broker registers, with all its features').frame;
    const connection = await Connection.open(quorum.port);
    await connection.callRaw(frame);
    await connection.callRaw(frame);
    connection.close();
    expect(registered.map(({ brokerEpoch }) => brokerEpoch)).toEqual([1, 2, 3]);
  });

  it("parks a leader's wish to change the ISR until somebody decides", async () => {
    await broker.register();
    const wish = (): Promise<unknown> =>
      broker.call('AlterPartition', 3, {
        brokerId: 1,
        brokerEpoch: 1,
        topics: [
          {
            topicId: 'AAAAAAAAAAAAAAAAAAAAAg',
            partitions: [{ leaderEpoch: 4, partitionEpoch: 9, newIsrWithEpochs: [{ brokerId: 2 }, { brokerId: 1 }] }],
          },
        ],
      });
    const parked = async () => {
      while (quorum.isrChange(1) === null) await new Promise((resolve) => setTimeout(resolve, 1));
      return quorum.isrChange(1);
    };
    const refused = wish();
    expect(await parked()).toMatchObject({ leader: 1, leaderEpoch: 4, partitionEpoch: 9, isr: [1, 2] });
    quorum.isrChange(1)?.turnDown();
    expect(await refused).toMatchObject({ topics: [{ partitions: [{ errorCode: 55 }] }] });
    const granted = wish();
    (await parked())?.grant(10);
    expect(await granted).toMatchObject({
      topics: [{ partitions: [{ errorCode: 0, leaderId: 1, leaderEpoch: 4, isr: [1, 2], partitionEpoch: 10 }] }],
    });
    expect(quorum.isrChange(1)).toBeNull();
  });

  it('keeps what it did not understand, and breaks that connection', async () => {
    const unknown = Buffer.from('00030001000000010000', 'hex');
    const connection = await Connection.open(quorum.port);
    await expect(connection.callRaw(unknown)).rejects.toThrow('the connection to the broker broke');
    expect(quorum.problem).toBe('a broker calls API 3, which this controller does not have');
  });
});
