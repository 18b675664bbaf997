import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  type ApiName,
  answerUnsupported,
  apis,
  apiVersions,
  decodeRequest,
  decodeResponse,
  encodeRequest,
  encodeResponse,
  FrameSplitter,
  type Request,
  type RequestOf,
  type ResponseOf,
  topicId,
  unframed,
  WireError,
} from '../../src/wire/index.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(/\s/g, ''), 'hex');

const epochQuestion: RequestOf<'OffsetForLeaderEpoch'> = {
  replicaId: 2,
  topics: [{ name: 't', partitions: [{ index: 0, currentLeaderEpoch: 5, leaderEpoch: 4 }] }],
};
const epochAnswer: ResponseOf<'OffsetForLeaderEpoch'> = {
  throttleTimeMs: 0,
  topics: [{ name: 't', partitions: [{ errorCode: 0, index: 0, leaderEpoch: 4, endOffset: 25n }] }],
};

describe('OffsetForLeaderEpoch, version by version', () => {
  const question = (version: number) =>
    encodeRequest({ api: 'OffsetForLeaderEpoch', version, correlationId: 7, clientId: 'c', body: epochQuestion });
  const header = (version: string) => `0017 ${version} 00000007 0001 63`;

  test.each([
    ['carries topic, partition and epoch only', 0, `${header('0000')} 00000001 0001 74 00000001 00000000 00000004`],
    ['carries the same', 1, `${header('0001')} 00000001 0001 74 00000001 00000000 00000004`],
    [
      'carries the current leader epoch (KIP-320)',
      2,
      `${header('0002')} 00000001 0001 74 00000001 00000000 00000005 00000004`,
    ],
    ['carries the replica', 3, `${header('0003')} 00000002 00000001 0001 74 00000001 00000000 00000005 00000004`],
    [
      'has compact lengths and tags',
      4,
      `${header('0004')} 00 00000002 02 02 74 02 00000000 00000005 00000004 00 00 00`,
    ],
  ])('the request %s', (_what, version, bytes) => {
    expect(Buffer.from(unframed(question(version))).toString('hex')).toBe(hex(bytes).toString('hex'));
  });

  test.each([
    ['has only an offset', 0, '00000007 00000001 0001 74 00000001 0000 00000000 0000000000000019'],
    ['has its epoch (KIP-279)', 1, '00000007 00000001 0001 74 00000001 0000 00000000 00000004 0000000000000019'],
    ['has a throttle time', 2, '00000007 00000000 00000001 0001 74 00000001 0000 00000000 00000004 0000000000000019'],
    [
      'has compact lengths and tags',
      4,
      '00000007 00 00000000 02 02 74 02 0000 00000000 00000004 0000000000000019 00 00 00',
    ],
  ])('the response %s', (_what, version, bytes) => {
    const answer = encodeResponse({ api: 'OffsetForLeaderEpoch', version, correlationId: 7 }, epochAnswer);
    expect(Buffer.from(unframed(answer)).toString('hex')).toBe(hex(bytes).toString('hex'));
  });
});

describe('Fetch', () => {
  const partition = {
    index: 0,
    fetchOffset: 9n,
    maxBytes: 1000,
    currentLeaderEpoch: 3,
    lastFetchedEpoch: 2,
    logStartOffset: 1n,
  };
  const fetch = (version: number): Request<'Fetch'> => ({
    ...{ api: 'Fetch', version, correlationId: 1, clientId: null },
    body: {
      ...{ replicaId: 1, maxWaitMs: 0, minBytes: 0, maxBytes: 1000, isolationLevel: 0 },
      ...{ replicaState: null, sessionId: 0, sessionEpoch: -1, forgotten: [], rackId: '' },
      topics: [{ name: 't', partitions: [partition] }],
    },
  });
  const kept = (version: number) => {
    const read = decodeRequest(unframed(encodeRequest(fetch(version))));
    return read.api === 'Fetch' ? read.body.topics[0]?.partitions[0] : null;
  };

  it('tells the start of the log since version 5, the leader epoch since 9, the last fetched epoch since 12', () => {
    const nothing = { ...partition, currentLeaderEpoch: -1, lastFetchedEpoch: -1, logStartOffset: -1n };
    expect(kept(4)).toEqual(nothing);
    expect(kept(5)).toEqual({ ...nothing, logStartOffset: 1n });
    expect(kept(9)).toEqual({ ...partition, lastFetchedEpoch: -1 });
    expect(kept(12)).toEqual(partition);
  });

  it('calls topics by their ids since version 13, and says since 15 in which of its lives a replica asks (KIP-903)', () => {
    const { body, ...head } = fetch(15);
    const asked = {
      ...{ ...body, replicaState: { replicaId: 2, replicaEpoch: 5n } },
      topics: [{ name: topicId('t'), partitions: [] }],
    };
    const frame = encodeRequest({ ...head, body: asked });
    const bytes = `0001 000f 00000001 ffff 00 00000000 00000000 000003e8 00 00000000 ffffffff
      02 ${topicId('t')} 01 00 01 01 01 01 0d 00000002 0000000000000005 00`;
    expect(Buffer.from(unframed(frame)).toString('hex')).toBe(hex(bytes).toString('hex'));
    expect(decodeRequest(unframed(frame))).toMatchObject({ body: { ...asked, replicaId: -1 } });
  });

  it('is answered with the diverging epoch since version 12, in a tag', () => {
    const answer = (version: number, divergingEpoch: { epoch: number; endOffset: bigint } | null) => {
      const request = { api: 'Fetch', version, correlationId: 1 } as const;
      const part = {
        ...{ index: 0, errorCode: 0, highWatermark: 4n, lastStableOffset: 4n, logStartOffset: 0n },
        ...{ divergingEpoch, abortedTransactions: null, preferredReadReplica: -1, records: Buffer.from('ab') },
      };
      const topics = [{ name: 't', partitions: [part] }];
      const frame = encodeResponse(request, { throttleTimeMs: 0, errorCode: 0, sessionId: 0, topics });
      return decodeResponse(request, unframed(frame)).topics[0]?.partitions[0]?.divergingEpoch;
    };
    expect(answer(12, { epoch: 2, endOffset: 5n })).toEqual({ epoch: 2, endOffset: 5n });
    expect(answer(12, null)).toBeNull();
    expect(answer(11, { epoch: 2, endOffset: 5n })).toBeNull();
  });
});

describe('who asks for what there is not', () => {
  it('is told the versions that there are, if that was the question, as everybody can read it', () => {
    const asked = decodeRequest(hex('0012 0063 00000005 ffff 00'));
    expect(asked).toEqual({ api: null, key: 18, version: 99, correlationId: 5 });
    const answer = asked.api === null && answerUnsupported(asked);
    expect(decodeResponse({ api: 'ApiVersions', version: 0, correlationId: 5 }, unframed(answer || hex('')))).toEqual(
      apiVersions(35),
    );
  });

  test.each([
    ['an API', '03e7 0000 00000005 ffff'],
    ['a later version of Fetch', '0001 0011 00000005 ffff'],
    ['an earlier version of Produce', '0000 0000 00000005 ffff'],
  ])('gets no answer: %s', (_what, bytes) => {
    const asked = decodeRequest(hex(bytes));
    expect(asked.api === null && answerUnsupported(asked)).toBeNull();
  });
});

describe('what is no request', () => {
  test.each([
    ['is cut in its header', '0012', 'At byte 2: 2 bytes are announced, 0 are left'],
    ['is cut in its body', '0017 0000 00000001 ffff 00000001 0001', 'At byte 16: 1 bytes are announced, 0 are left'],
    ['has a null topic', '0017 0000 00000001 ffff 00000001 ffff', 'a string is null'],
    ['announces a million topics', '0017 0000 00000001 ffff 000f4240', '1000000 elements are announced in 0 bytes'],
    ['announces less than no topics', '0017 0000 00000001 ffff fffffff0', '-16 elements are announced'],
    ['has bytes left over', '0012 0000 00000001 ffff 00', '1 bytes follow the end of ApiVersions'],
    ['has a length without end', '0017 0004 00000001 ffff 00 00000000 ffffffffffff', 'a length is longer than 32 bits'],
  ])('is told as such: it %s', (_what, bytes, message) => {
    expect(() => decodeRequest(hex(bytes))).toThrow(message);
  });

  it('is told as such: it has so many topics that they would take a hundred times its size', () => {
    const head = hex('0003 0001 00000001 ffff 000186a1');
    expect(() => decodeRequest(Buffer.concat([head, Buffer.alloc(2 * 100_001)]))).toThrow(
      'At byte 14: more than 100000 elements are announced in all',
    );
  });

  it('is told as such: it has millions of tagged fields', () => {
    const head = hex('0012 0003 00000001 ffff a1 8d 06');
    expect(() => decodeRequest(Buffer.concat([head, Buffer.alloc(2 * 100_001)]))).toThrow(
      'At byte 13: more than 100000 elements are announced in all',
    );
  });

  it('never does worse than that', () => {
    const keys = Object.values(apis).map(({ key }) => key);
    fc.assert(
      fc.property(fc.constantFrom(...keys), fc.nat(12), fc.uint8Array({ maxLength: 60 }), (key, version, rest) => {
        const head = Buffer.alloc(10);
        head.writeInt16BE(key, 0);
        head.writeInt16BE(version, 2);
        head.writeInt16BE(-1, 8);
        try {
          decodeRequest(Buffer.concat([head, rest]));
        } catch (error) {
          expect(error).toBeInstanceOf(WireError);
        }
      }),
    );
  });
});

describe('a stream', () => {
  const frames = [1, 2, 3].map((correlationId) =>
    encodeRequest({ api: 'OffsetForLeaderEpoch', version: 3, correlationId, clientId: 'x', body: epochQuestion }),
  );

  it('is cut into frames wherever it is cut into chunks', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 50 })), (sizes) => {
        const stream = Buffer.concat(frames);
        const splitter = new FrameSplitter(1000);
        const found: Buffer[] = [];
        let at = 0;
        for (const size of [...sizes, stream.length]) {
          found.push(...splitter.push(stream.subarray(at, at + size)));
          at += size;
        }
        expect(found).toEqual(frames.map(unframed));
      }),
    );
  });

  it('is cut into frames also where one of a hundred thousand bytes comes byte by byte', () => {
    const splitter = new FrameSplitter(1 << 20);
    const frame = Buffer.alloc(100_004, 'x');
    frame.writeInt32BE(100_000, 0);
    const found = [...frame].flatMap((byte) => splitter.push(Buffer.from([byte])));
    expect(found).toEqual([frame.subarray(4)]);
  });

  test.each([
    ['HTTP', Buffer.from('GET / HTTP/1.1\r\n')],
    ['a frame that is too long', hex('7fffffff')],
    ['a negative length', hex('ffffffff')],
  ])('that is none of ours is refused with its first bytes: %s', (_what, bytes) => {
    expect(() => new FrameSplitter(1_000_000).push(bytes)).toThrow('this is not Kafka');
  });
});

describe('a long message', () => {
  it.each([1, 240, 255, 256, 300, 100_000])('with %i bytes of records is read back', (size) => {
    const records = Buffer.alloc(size, 'r');
    const topics = [
      {
        name: 't'.repeat(200),
        partitions: [
          { index: 7, records },
          { index: 8, records },
        ],
      },
    ];
    for (const version of [3, 9]) {
      const body = { transactionalId: null, acks: 1, timeoutMs: 5, topics };
      const frame = encodeRequest({ api: 'Produce', version, correlationId: 1, clientId: 'c', body });
      const read = decodeRequest(unframed(frame));
      expect(read.api === 'Produce' && read.body).toEqual(body);
    }
  });
});

describe('every message', () => {
  const requests: { [N in ApiName]: RequestOf<N> } = {
    Produce: {
      ...{ transactionalId: null, acks: -1, timeoutMs: 9 },
      topics: [{ name: 't', partitions: [{ index: 0, records: Buffer.from('r') }] }],
    },
    Fetch: {
      ...{ replicaId: -1, maxWaitMs: 5, minBytes: 1, maxBytes: 2, isolationLevel: 0, sessionId: 0, sessionEpoch: -1 },
      ...{ replicaState: null, forgotten: [], rackId: '', topics: [] },
    },
    ListOffsets: { replicaId: -1, isolationLevel: 0, topics: [] },
    Metadata: {
      ...{ topics: null, allowAutoTopicCreation: true },
      ...{ includeClusterAuthorizedOperations: false, includeTopicAuthorizedOperations: false },
    },
    ApiVersions: { clientSoftwareName: '', clientSoftwareVersion: '' },
    OffsetForLeaderEpoch: { ...epochQuestion, replicaId: -2 },
  };
  const versions = (Object.keys(apis) as ApiName[]).flatMap((api) =>
    Array.from({ length: apis[api].max - apis[api].min + 1 }, (_, i) => [api, apis[api].min + i] as const),
  );

  test.each(versions)('%s version %i is read back', (api, version) => {
    const request = { api, version, correlationId: 3, clientId: 'c', body: requests[api] } as Request;
    const read = decodeRequest(unframed(encodeRequest(request)));
    expect(encodeRequest(read as Request)).toEqual(encodeRequest(request));
    expect(read).toMatchObject({ api, version, correlationId: 3, clientId: 'c' });
  });
});
