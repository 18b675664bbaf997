import { createServer, type Server, type Socket, connect as tcpConnect } from 'node:net';
import { framed, frameSplitter } from './wire/frames.ts';

/**
 * The network from one follower to one leader, as a TCP proxy: the follower is told that its leader listens here. Requests
 * of the gated APIs are parked, one at a time, and so are their replies; all else flows through. It knows frames and the
 * header that all of Kafka's requests begin with (API key, version, correlation id), and nothing of what is in them.
 */
export class Gate {
  readonly #options: GateOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #parked: ParkedRequest | null = null;
  #onChange: (() => void)[] = [];
  #refusing = false;

  private constructor(options: GateOptions) {
    this.#options = options;
    this.#server = createServer((socket) => this.#accept(socket));
  }

  /** Listens on a loopback port of its own. */
  static async open(options: GateOptions): Promise<Gate> {
    const gate = new Gate(options);
    await new Promise<void>((resolve, reject) => {
      gate.#server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    return gate;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new TypeError('the gate is closed');
    return address.port;
  }

  /** What the follower's fetcher waits for: the newest gated request of the connections that are open. */
  get parked(): ParkedRequest | null {
    return this.#parked;
  }

  /** Resolves the next time that something is parked, answered or lost. */
  changed(): Promise<void> {
    return new Promise((resolve) => this.#onChange.push(resolve));
  }

  /** Breaks all connections: what is under way in either direction is lost. */
  drop(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
    this.#lose(this.#parked);
  }

  /** Until it is called again with false, connections are refused: nobody is at the other end. Drops those that there are. */
  refuse(refusing: boolean): void {
    this.#refusing = refusing;
    if (refusing) this.drop();
  }

  async close(): Promise<void> {
    this.refuse(true);
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #accept(socket: Socket): void {
    const port = this.#options.target();
    if (this.#refusing || port === null) {
      socket.destroy();
      return;
    }
    const upstream = tcpConnect(port, '127.0.0.1');
    const waiting = new Map<number, { answer: (reply: Buffer) => void; lose: () => void }>();
    let mine: ParkedRequest | null = null;
    const end = (): void => {
      for (const one of [socket, upstream]) {
        one.destroy();
        this.#sockets.delete(one);
      }
      for (const { lose } of waiting.values()) lose();
      waiting.clear();
      this.#lose(mine);
    };
    for (const one of [socket, upstream]) {
      this.#sockets.add(one);
      one.setNoDelay(true).on('error', end).on('close', end);
    }
    socket.on(
      'data',
      frameSplitter((frame) => {
        const header = requestHeader(frame);
        if (!this.#options.gated.has(header.apiKey)) {
          upstream.write(framed(frame));
          return;
        }
        const request: ParkedRequest = {
          ...header,
          request: frame,
          reply: null,
          lost: false,
          forward: () =>
            new Promise((resolve, reject) => {
              const answer = (reply: Buffer): void => {
                request.reply = reply;
                this.#changed();
                resolve(reply);
              };
              waiting.set(header.correlationId, { answer, lose: () => reject(new MessageLost()) });
              upstream.write(framed(frame));
            }),
          deliver: () => {
            if (request.reply === null || request.lost) throw new TypeError('there is no reply to deliver');
            this.#parked = null;
            mine = null;
            socket.write(framed(request.reply));
          },
        };
        mine = request;
        this.#parked = request;
        this.#changed();
      }),
    );
    upstream.on(
      'data',
      frameSplitter((frame) => {
        const correlationId = frame.readInt32BE(0);
        const parked = waiting.get(correlationId);
        waiting.delete(correlationId);
        if (parked === undefined) socket.write(framed(frame));
        else parked.answer(frame);
      }),
    );
  }

  #lose(request: ParkedRequest | null): void {
    if (request === null) return;
    request.lost = true;
    if (this.#parked === request) this.#parked = null;
    this.#changed();
  }

  #changed(): void {
    const told = this.#onChange;
    this.#onChange = [];
    for (const tell of told) tell();
  }
}

export interface GateOptions {
  /** API keys whose requests are parked. */
  readonly gated: ReadonlySet<number>;
  /** The leader's own port; null while it is down. Asked for each new connection. */
  readonly target: () => number | null;
}

/** Frames are without their length. */
export interface ParkedRequest {
  readonly apiKey: number;
  readonly apiVersion: number;
  readonly correlationId: number;
  readonly request: Buffer;
  /** Null until the leader has answered. */
  reply: Buffer | null;
  /** Its connection has been broken. */
  lost: boolean;
  /** Hands the request to the leader, and parks the reply. Rejects with MessageLost if the connection breaks. */
  forward(): Promise<Buffer>;
  /** Hands the reply to the follower. */
  deliver(): void;
}

export class MessageLost extends Error {
  override readonly name = 'MessageLost';
  constructor() {
    super('the connection broke before there was a reply');
  }
}

export function requestHeader(frame: Buffer): Pick<ParkedRequest, 'apiKey' | 'apiVersion' | 'correlationId'> {
  return { apiKey: frame.readInt16BE(0), apiVersion: frame.readInt16BE(2), correlationId: frame.readInt32BE(4) };
}
