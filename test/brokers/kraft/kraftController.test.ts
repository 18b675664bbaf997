import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BrokerLogs } from '../../../src/brokers/brokerLog.ts';
import type { Message } from '../../../src/brokers/kraft/codec.ts';
import { KraftController } from '../../../src/brokers/kraft/kraftController.ts';
import { FakeBroker } from './fakeBroker.ts';
import { schemas } from './support.ts';

const topic = { name: 't', replicas: [1, 2], minIsr: 2 };
const first = { epoch: 1, leader: 1, isr: [1, 2] };
const portOf = (other: number): number => 5000 + other;

/** `PartitionRecord leader=1 leaderEpoch=3` */
function shown(records: readonly { type: string; message: Message }[], ...fields: string[]): string[] {
  return records.map(({ type, message }) =>
    [type, ...fields.flatMap((field) => (field in message ? [`${field}=${String(message[field])}`] : []))].join(' '),
  );
}

describe('the controller over a puppet', () => {
  let controller: KraftController;
  let a: FakeBroker;
  let b: FakeBroker;

  beforeEach(async () => {
    controller = new KraftController(schemas, new BrokerLogs(), async () => true);
    await controller.start();
    const port = Number(controller.settings(1)['controller.quorum.voters']?.split(':')[1]);
    [a, b] = await Promise.all([FakeBroker.connect(1, port), FakeBroker.connect(2, port)]);
    await join(a);
    await join(b);
    await controller.create(topic);
  });
  afterEach(async () => {
    a.close();
    b.close();
    await controller.close();
  });

  async function join(broker: FakeBroker) {
    await broker.register();
    return broker.live(controller.joined(broker));
  }

  /** What it hears, and what another one does meanwhile. */
  async function rejoin(broker: FakeBroker, other: FakeBroker) {
    await broker.register();
    const joined = controller.joined(broker);
    const [own, others] = await Promise.all([broker.live(joined), other.live(joined)]);
    return { own, others };
  }

  it('tells one broker of an election, with where the others are, and nobody else', async () => {
    const heard = await a.live(controller.tell(a, topic, first, portOf));
    expect(shown(heard, 'name', 'value', 'brokerId', 'leader', 'leaderEpoch', 'isr', 'partitionEpoch')).toEqual([
      'RegisterBrokerRecord brokerId=2',
      'ConfigRecord name=min.insync.replicas value=2',
      'TopicRecord name=t',
      'PartitionRecord leader=1 leaderEpoch=1 isr=1,2 partitionEpoch=1000',
    ]);
    expect(heard[0]?.message).toMatchObject({ fenced: false, endPoints: [{ name: 'PLAINTEXT', port: 5002 }] });
    expect(await b.learn()).toEqual([]);
  });

  it('tells of the newest election alone to a broker that has missed some', async () => {
    await a.live(controller.tell(a, topic, first, portOf));
    const heard = await a.live(controller.tell(a, topic, { epoch: 4, leader: 2, isr: [2] }, portOf));
    expect(shown(heard, 'leader', 'leaderEpoch', 'partitionEpoch')).toEqual([
      'PartitionRecord leader=2 leaderEpoch=4 partitionEpoch=4000',
    ]);
  });

  it('lets a broker that comes back know its partition, and no leader yet', async () => {
    await a.live(controller.tell(a, topic, first, portOf));
    await controller.left(a);
    expect(shown(await join(a), 'leader', 'leaderEpoch', 'brokerEpoch', 'fenced')).toEqual([
      'RegisterBrokerRecord brokerEpoch=3 fenced=true',
      'PartitionRecord leader=-1 leaderEpoch=0',
      'BrokerRegistrationChangeRecord brokerEpoch=3 fenced=-1',
    ]);
  });

  it('tells a leader of a follower that has come back: it lets it into the ISR in no other life', async () => {
    await a.live(controller.tell(a, topic, first, portOf));
    await controller.left(b);
    const { others: heard } = await rejoin(b, a);
    expect(shown(heard, 'brokerId', 'brokerEpoch')).toEqual(['RegisterBrokerRecord brokerId=2 brokerEpoch=3']);
  });

  it('takes a partition away, also from a broker that is down meanwhile', async () => {
    await a.live(controller.tell(a, topic, first, portOf));
    await b.live(controller.tell(b, topic, first, portOf));
    await controller.left(b);
    expect(shown(await a.live(controller.remove(topic, [a])))).toEqual(['RemoveTopicRecord']);
    const { own } = await rejoin(b, a);
    expect(shown(own)).toEqual(['RegisterBrokerRecord', 'RemoveTopicRecord', 'BrokerRegistrationChangeRecord']);
  });

  it('turns a change of the ISR down unless it is wanted, and numbers the ones that it lets through', async () => {
    const wish = async (leaderEpoch: number): Promise<unknown> => {
      const partition = { leaderEpoch, partitionEpoch: 1000, newIsrWithEpochs: [{ brokerId: 1 }] };
      const topics = [{ topicId: 'AAAAAAAAAAAAAAAAAAAAAg', partitions: [partition] }];
      const reply = (await a.call('AlterPartition', 3, { brokerId: 1, topics })) as {
        topics: { partitions: Message[] }[];
      };
      const { errorCode, partitionEpoch } = reply.topics[0]?.partitions[0] ?? {};
      return { errorCode, partitionEpoch };
    };
    const refused = { errorCode: 55, partitionEpoch: 1000 };
    expect(await wish(1)).toEqual(refused);
    const change = { topic, election: first, leader: a, isr: [1], byTimer: false };
    const isr = await controller.changeIsr(change, async () => {
      // Of another reign; the wanted one; and once more.
      expect(await wish(0)).toEqual(refused);
      expect(await wish(1)).toEqual({ errorCode: 0, partitionEpoch: 1001 });
      expect(await wish(1)).toEqual(refused);
    });
    expect(isr).toEqual([1]);
    const unwanted = { ...change, isr: [1, 2] };
    expect(await controller.changeIsr(unwanted, async () => expect(await wish(1)).toEqual(refused))).toEqual([1, 2]);
    expect(await wish(1)).toEqual(refused);
  });
});
