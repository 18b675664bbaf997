import { createServer, type Server, type Socket } from 'node:net';
import { framed, frameSplitter } from '../wire/frames.ts';
import type { Message } from './codec.ts';
import { readRequest, readRequestHeader, replyFrame } from './frames.ts';
import type { MessageSchema } from './schema.ts';
import type { Schemas } from './schemas.ts';

export interface Call {
  readonly request: Message;
  /** Its connection is there no more: nobody waits for the reply. */
  readonly closed: boolean;
  reply(message: Message): void;
}

export interface Api {
  /** `Fetch`, for FetchRequest and FetchResponse. */
  readonly name: string;
  /** Newer ones are not offered. */
  readonly maxVersion?: number;
  handle(call: Call): void;
}

/** Errors.UNSUPPORTED_VERSION: answered in version 0, for the asker to ask again (KIP-511). */
const UNSUPPORTED_VERSION = 35;

/** A server that speaks some of Kafka's APIs, all as their definitions say. */
export class ApiServer {
  readonly #schemas: Schemas;
  readonly #apis = new Map<number, { readonly api: Api; readonly schema: MessageSchema }>();
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  readonly #onProblem: (problem: string) => void;

  private constructor(schemas: Schemas, apis: readonly Api[], onProblem: (problem: string) => void) {
    this.#schemas = schemas;
    this.#onProblem = onProblem;
    const versions: Api = { name: 'ApiVersions', handle: (call) => call.reply(this.#versions()) };
    for (const api of [...apis, versions]) {
      const schema = schemas.of(`${api.name}Request`);
      this.#apis.set(schema.apiKey, { api, schema });
    }
    this.#server = createServer((socket) => this.#accept(socket));
  }

  /** Listens on a loopback port of its own. `onProblem`: a request that cannot be understood; its connection is closed. */
  static async open(schemas: Schemas, apis: readonly Api[], onProblem: (problem: string) => void): Promise<ApiServer> {
    const server = new ApiServer(schemas, apis, onProblem);
    await new Promise<void>((resolve, reject) => {
      server.#server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    return server;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new TypeError('the server is closed');
    return address.port;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    socket
      .setNoDelay(true)
      .on('error', () => socket.destroy())
      .on('close', () => this.#sockets.delete(socket))
      .on(
        'data',
        frameSplitter((frame) => {
          try {
            this.#onRequest(socket, frame);
          } catch (error) {
            this.#onProblem(error instanceof Error ? error.message : String(error));
            socket.destroy();
          }
        }),
      );
  }

  #onRequest(socket: Socket, frame: Buffer): void {
    const { apiKey, version, correlationId } = readRequestHeader(frame);
    const known = this.#apis.get(apiKey);
    if (known === undefined) throw new RangeError(`a broker calls API ${apiKey}, which this controller does not have`);
    const { api, schema } = known;
    const reply = (replyVersion: number, message: Message): void => {
      const response = this.#schemas.of(`${api.name}Response`);
      if (!socket.destroyed) socket.write(framed(replyFrame(response, replyVersion, correlationId, message)));
    };
    if (api.name === 'ApiVersions' && version > schema.validVersions.to) {
      reply(0, { ...this.#versions(), errorCode: UNSUPPORTED_VERSION });
      return;
    }
    api.handle({
      request: readRequest(schema, frame),
      get closed() {
        return socket.destroyed;
      },
      reply: (message) => reply(version, message),
    });
  }

  #versions(): Message {
    return {
      apiKeys: [...this.#apis].map(([apiKey, { api, schema }]) => ({
        apiKey,
        minVersion: schema.validVersions.from,
        maxVersion: Math.min(schema.validVersions.to, api.maxVersion ?? schema.validVersions.to),
      })),
    };
  }
}
