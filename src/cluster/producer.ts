import { encodeBatch } from '../disk/index.ts';
import { decodeResponse, encodeRequest } from '../wire/index.ts';
import { type Address, dial } from './tcp.ts';

/** However busy the machine is: a test must not end a wait that the protocol does not end. */
const PATIENCE_MS = 2_000_000_000;

/** Gives one record, whose value is this number. Resolves to the error code; null if the connection ends without an answer. */
export function produce(address: Address, topic: string, id: number, acks: '1' | 'all'): Promise<number | null> {
  const records = encodeBatch({ baseOffset: 0, epoch: -1, records: [{ value: Buffer.from(String(id)) }] });
  const topics = [{ name: topic, partitions: [{ index: 0, records }] }];
  const body = { transactionalId: null, acks: acks === 'all' ? -1 : 1, timeoutMs: PATIENCE_MS, topics };
  const request = { api: 'Produce', version: 7, correlationId: id, clientId: 'producer', body } as const;
  return new Promise((resolve) => {
    const link = dial(address, {
      frame: (frame) => {
        resolve(decodeResponse(request, frame).topics[0]?.partitions[0]?.errorCode ?? null);
        link.close();
      },
      closed: () => resolve(null),
    });
    link.send(encodeRequest(request));
  });
}
