import { describe, expect, it } from 'vitest';
import { listen, type Said } from '../../src/brokers/brokerLog.ts';

const nothing: Said = {
  epochEntries: null,
  openIsrChanges: 0,
  isr: [],
  epochStart: -1,
  remoteLeo: new Map(),
  fetchState: 'idle',
  isTurning: false,
};

/** Lines of 4.4.0, without the time before them. */
function heard(log: string, broker = 1, partition = 't1-0'): Said {
  return listen(nothing, log.trim().split('\n'), broker, partition);
}

const leads = (epoch: number, offset: number, previous: string): string =>
  `INFO  logger: [Broker id=1] Leader t1-0 with topic id Some(US8mraPD1jSsPGsSt7M8tQ) starts at leader epoch ${epoch} from offset ${offset} with partition epoch ${epoch}000, high watermark 0, ISR [2,1], adding replicas [] and removing replicas [] . Previous leader ${previous} and previous leader epoch was -1.`;
const recorded = (offset: number): string =>
  `DEBUG Partition: [Partition t1-0 broker=1] Recorded replica 2 log end offset (LEO) position ${offset} and log start offset 0.`;

describe("a broker's log", () => {
  it('tells where a reign began, who is in sync, and how far followers are', () => {
    expect(heard(`${leads(3, 5, 'None')}\n${recorded(4)}\n${recorded(5)}`)).toEqual({
      ...nothing,
      epochStart: 5,
      isr: [1, 2],
      remoteLeo: new Map([[2, 5]]),
    });
  });

  it('tells that a leader who is elected again still knows its followers, and another one does not', () => {
    const before = `${leads(1, 0, 'None')}\n${recorded(4)}\n`;
    expect(heard(before + leads(2, 6, 'Some(1)')).remoteLeo).toEqual(new Map([[2, 4]]));
    expect(heard(before + leads(2, 6, 'Some(2)')).remoteLeo).toEqual(new Map());
  });

  it('tells how many entries the epoch cache has', () => {
    const log = `
DEBUG LeaderEpochFileCache: [LeaderEpochCache t1-0] Appended new epoch entry EpochEntry(epoch=1, startOffset=0). Cache now contains 1 entries.
DEBUG LeaderEpochFileCache: [LeaderEpochCache t1-0] Appended new epoch entry EpochEntry(epoch=3, startOffset=2). Cache now contains 2 entries.
DEBUG LeaderEpochFileCache: [LeaderEpochCache t1-0] Cleared entries [EpochEntry(epoch=3, startOffset=2)] from epoch cache after truncating to end offset 2, leaving 1 entries in the cache.`;
    expect(heard(log).epochEntries).toBe(1);
  });

  it('tells whether a wish to change the ISR is still open, and how it ended', () => {
    const submitted =
      'DEBUG Partition: [Partition t1-0 broker=1] Submitting ISR state change PendingExpandIsr(newInSyncReplicaId=2)';
    const refused =
      'INFO  Partition: [Partition t1-0 broker=1] Failed to alter partition to PendingExpandIsr(newInSyncReplicaId=2) since the controller rejected the request with OPERATION_NOT_ATTEMPTED. Partition state has been reset to the latest committed state CommittedPartitionState(isr=Set(1))';
    const granted = 'INFO  Partition: [Partition t1-0 broker=1] ISR updated to 1,2  and version updated to 2001';
    expect(heard(submitted).openIsrChanges).toBe(1);
    expect(heard(`${submitted}\n${refused}`)).toMatchObject({ openIsrChanges: 0, isr: [] });
    expect(heard(`${submitted}\n${granted}`)).toMatchObject({ openIsrChanges: 0, isr: [1, 2] });
  });

  it('tells that a fenced fetcher gave up, until it is begun anew', () => {
    const fenced =
      'INFO  ReplicaFetcherThread: [ReplicaFetcher replicaId=1, leaderId=2, fetcherId=0] Partition t1-0 has an older epoch (1) than the current leader. Will await the new LeaderAndIsr state before resuming fetching.';
    const added =
      'INFO  ReplicaFetcherManager: [ReplicaFetcherManager on broker 1] Added fetcher to broker 2 for partitions HashMap(t1-0 -> InitialFetchState(Some(US8mraPD1jSsPGsSt7M8tQ),BrokerEndPoint[id=2, host=127.0.0.1, port=39945],3,0))';
    expect(heard(fenced).fetchState).toBe('failed');
    expect(heard(`${fenced}\n${added}`).fetchState).toBe('fetching');
  });

  it('tells that a follower of another leader has not got to its fetcher yet', () => {
    const follows =
      'INFO  logger: [Broker id=1] Follower t1-0 starts at leader epoch 3 from offset 1 with partition epoch 3000 and high watermark 0. Current leader is 2. Previous leader Some(1) and previous leader epoch was 2.';
    const removed =
      'INFO  ReplicaFetcherManager: [ReplicaFetcherManager on broker 1] Removed fetcher for partitions Set(t1-0)';
    const added =
      'INFO  ReplicaFetcherManager: [ReplicaFetcherManager on broker 1] Added fetcher to broker 2 for partitions HashMap(t1-0 -> InitialFetchState(Some(US8mraPD1jSsPGsSt7M8tQ),BrokerEndPoint[id=2, host=127.0.0.1, port=39945],3,0))';
    expect(heard(`${follows}\n${removed}`)).toMatchObject({ isTurning: true, fetchState: 'idle' });
    expect(heard(`${follows}\n${removed}\n${added}`)).toMatchObject({ isTurning: false, fetchState: 'fetching' });
    expect(heard(`${follows}\n${leads(4, 1, 'Some(2)')}`).isTurning).toBe(false);
  });

  it('is read for one partition only', () => {
    expect(heard(leads(1, 0, 'None').replaceAll('t1-0', 't11-0'))).toEqual(nothing);
    expect(heard(leads(1, 0, 'None'), 1, 't11-0')).toEqual(nothing);
  });
});
