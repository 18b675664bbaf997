import { connect, type Socket } from 'node:net';
import { Reader, Writer } from './bytes.ts';
import { framed, frameSplitter } from './frames.ts';

/** As much of a ZooKeeper client as a controller needs. Source: zookeeper.jute, ZooDefs.OpCode, KeeperException.Code. */
export class ZooKeeper {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, (reply: Reader | null) => void>();
  readonly #pings: NodeJS.Timeout;
  #xid = 0;

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#pings = setInterval(() => this.#write(new Writer().int32(PING_XID).int32(OP.ping)), SESSION_MS / 4);
    this.#pings.unref();
    socket.on('close', () => {
      clearInterval(this.#pings);
      for (const answer of this.#waiting.values()) answer(null);
      this.#waiting.clear();
    });
  }

  /** Null if the server does not (yet) take a session: it closes early connections, or leaves them unanswered. */
  static open(port: number): Promise<ZooKeeper | null> {
    return new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1');
      const timer = setTimeout(() => socket.destroy(), 1000);
      let client: ZooKeeper | null = null;
      socket.setNoDelay(true).on('error', () => {});
      socket.on('close', () => {
        clearTimeout(timer);
        resolve(null);
      });
      socket.on('connect', () => {
        const hello = new Writer().int32(0).int64(0).int32(SESSION_MS).int64(0).bytes(Buffer.alloc(16)).int8(0);
        socket.write(framed(hello.toBuffer()));
      });
      socket.on(
        'data',
        frameSplitter((frame) => {
          if (client !== null) {
            client.#answer(frame);
            return;
          }
          clearTimeout(timer);
          client = new ZooKeeper(socket);
          resolve(client);
        }),
      );
    });
  }

  /** A persistent node; its parents too, where there are none. */
  async create(path: string, data = ''): Promise<void> {
    const parent = path.slice(0, path.lastIndexOf('/'));
    for (let attempt = 0; ; attempt++) {
      const body = text(path, data).int32(1).int32(ALL_PERMISSIONS);
      const acl = body.bytes(Buffer.from('world')).bytes(Buffer.from('anyone')).int32(PERSISTENT);
      const { error } = await this.#ask(OP.create, acl);
      if (error !== NO_NODE || parent === '' || attempt > 0) return check(`create ${path}`, error, [NODE_EXISTS]);
      await this.create(parent);
    }
  }

  async set(path: string, data: string): Promise<void> {
    const { error } = await this.#ask(OP.setData, text(path, data).int32(ANY_VERSION));
    check(`set ${path}`, error);
  }

  async delete(path: string): Promise<void> {
    const { error } = await this.#ask(OP.delete, text(path).int32(ANY_VERSION));
    check(`delete ${path}`, error, [NO_NODE]);
  }

  /** Null if there is no such node. */
  async get(path: string): Promise<{ readonly data: string; readonly version: number } | null> {
    const { error, reply } = await this.#ask(OP.getData, text(path).int8(0));
    if (error === NO_NODE) return null;
    check(`get ${path}`, error);
    const data = reply.bytes()?.toString('utf8') ?? '';
    reply.raw(4 * 8);
    return { data, version: reply.int32() };
  }

  close(): void {
    this.#socket.destroy();
  }

  async #ask(operation: number, body: Writer): Promise<{ error: number; reply: Reader }> {
    const xid = ++this.#xid;
    const reply = await new Promise<Reader | null>((resolve) => {
      if (this.#socket.destroyed) resolve(null);
      this.#waiting.set(xid, resolve);
      this.#write(new Writer().int32(xid).int32(operation).raw(body.toBuffer()));
    });
    if (reply === null) throw new ZooKeeperError('the connection to ZooKeeper broke');
    reply.int64();
    return { error: reply.int32(), reply };
  }

  #write(request: Writer): void {
    if (!this.#socket.destroyed) this.#socket.write(framed(request.toBuffer()));
  }

  #answer(frame: Buffer): void {
    const reply = new Reader(frame);
    const xid = reply.int32();
    this.#waiting.get(xid)?.(reply);
    this.#waiting.delete(xid);
  }
}

export class ZooKeeperError extends Error {
  override readonly name = 'ZooKeeperError';
}

const SESSION_MS = 30_000;
const PING_XID = -2;
const OP = { create: 1, delete: 2, getData: 4, setData: 5, ping: 11 } as const;
const NO_NODE = -101;
const NODE_EXISTS = -110;
const ANY_VERSION = -1;
const ALL_PERMISSIONS = 31;
const PERSISTENT = 0;

function text(...parts: readonly string[]): Writer {
  return parts.reduce((writer, part) => writer.bytes(Buffer.from(part)), new Writer());
}

function check(what: string, error: number, fine: readonly number[] = []): void {
  if (error !== 0 && !fine.includes(error)) throw new ZooKeeperError(`ZooKeeper refuses to ${what}: error ${error}`);
}
