import { connect, type Socket } from 'node:net';
import { Reader, Writer } from './bytes.ts';
import { framed, frameSplitter } from './frames.ts';

/** A client's connection to a broker: requests of any API, in the versions before the flexible ones. */
export class Connection {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, { resolve: (reply: Reader) => void; reject: (error: Error) => void }>();
  #correlationId = 0;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on(
      'data',
      frameSplitter((frame) => {
        const reader = new Reader(frame);
        const correlationId = reader.int32();
        this.#waiting.get(correlationId)?.resolve(reader);
        this.#waiting.delete(correlationId);
      }),
    );
    socket.on('error', () => {});
    socket.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new ConnectionLost());
      this.#waiting.clear();
    });
  }

  /** Rejects with ConnectionLost if nobody listens there. */
  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      const fail = (): void => reject(new ConnectionLost());
      socket.once('error', fail).once('connect', () => {
        socket.off('error', fail);
        resolve(new Connection(socket));
      });
    });
  }

  /** Sends a request and resolves to its reply, without its header. */
  call(apiKey: number, apiVersion: number, body: Writer): Promise<Reader> {
    const header = new Writer()
      .int16(apiKey)
      .int16(apiVersion)
      .int32(++this.#correlationId)
      .string(CLIENT_ID);
    return this.#send(this.#correlationId, Buffer.concat([header.toBuffer(), body.toBuffer()]));
  }

  /** Sends a request as it is, header and all. */
  callRaw(request: Buffer): Promise<Reader> {
    return this.#send(request.readInt32BE(4), request);
  }

  close(): void {
    this.#socket.destroy();
  }

  #send(correlationId: number, request: Buffer): Promise<Reader> {
    if (this.#socket.destroyed) return Promise.reject(new ConnectionLost());
    return new Promise((resolve, reject) => {
      this.#waiting.set(correlationId, { resolve, reject });
      this.#socket.write(framed(request));
    });
  }
}

const CLIENT_ID = 'leader-epoch';

export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
  constructor() {
    super('the connection to the broker broke, or was not taken');
  }
}
