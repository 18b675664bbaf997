import { watch } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openSystem } from '../open/index.ts';
import { ReplayProblem, replay } from '../replay/index.ts';
import { print } from '../tla/index.ts';
import { ItfError, parseItf } from '../trace/index.ts';
import { AS_CLAIMED, type Io, UsageError } from './io.ts';
import { recordedTraces, tracesFolder } from './traces.ts';

export interface ServeCommand {
  readonly port: string;
  /** What traces are replayed on: names as `openSystem` knows them. */
  readonly on?: readonly string[];
}

/** A trace of some thousand steps has a few megabytes. */
const MAX_BODY_BYTES = 64_000_000;
/** Files are written in several goes. */
const SETTLE_MS = 300;

/** `leader-epoch serve`: the page on this machine alone, with live replay, and loaded again when traces change. */
export async function serve({ port, on = ['memory'] }: ServeCommand, io: Io): Promise<number> {
  // What is not there should be told now, and not with the first trace.
  for (const name of on) await (await openSystem(name, io.env)).close();
  const listeners = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    answer(request, response, { on, io, listeners }).catch((error: Error) => {
      if (!response.headersSent) send(response, 500, 'text/plain', `${error.message}\n`);
      else response.destroy();
    });
  });
  const address = await listen(server, portOf(port));
  io.out(`http://127.0.0.1:${address.port}/ shows the page, and replays on ${on.join(', ')}. Ctrl-C ends it.`);

  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(tracesFolder, () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      for (const listener of listeners) listener.write('event: changed\ndata: traces\n\n');
    }, SETTLE_MS);
  });
  await new Promise<void>((resolve) => {
    if (io.signal.aborted) resolve();
    io.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  clearTimeout(timer);
  watcher.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return AS_CLAIMED;
}

function portOf(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535 && text !== '') return port;
  throw new UsageError(`--port takes a number from 0 (any that is free) to 65535, not "${text}".`);
}

/** Loopback only: nobody else on the network is served. */
function listen(server: Server, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'is in use' : `cannot be used: ${error.code}`;
      reject(new UsageError(`Port ${port} ${why}. Choose another with --port, or 0 for any that is free.`));
    });
    server.listen(port, '127.0.0.1', () => resolve(server.address() as AddressInfo));
  });
}

interface Serving {
  readonly on: readonly string[];
  readonly io: Io;
  readonly listeners: Set<ServerResponse>;
}

async function answer(request: IncomingMessage, response: ServerResponse, serving: Serving): Promise<void> {
  // A page of another site may have its name point here: only who asks for this machine is answered.
  if (!/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(request.headers.host ?? '')) {
    return send(response, 403, 'text/plain', 'This server is for 127.0.0.1 alone.\n');
  }
  const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
  if (request.method === 'GET' && pathname === '/') return send(response, 200, 'text/html', await page(serving.io));
  if (request.method === 'GET' && pathname === '/changes') return listenTo(response, serving.listeners);
  if (request.method === 'POST' && pathname === '/replay') {
    const { origin } = request.headers;
    if (origin !== undefined && origin !== `http://${request.headers.host}`) {
      return send(response, 403, 'text/plain', 'Only the page itself may ask.\n');
    }
    const text = await bodyOf(request);
    if (text === null) return send(response, 413, 'text/plain', 'The trace is too large.\n');
    return send(response, 200, 'application/json', JSON.stringify(await replays(text, serving)));
  }
  send(response, 404, 'text/plain', 'There is /, /replay and /changes.\n');
}

async function page(io: Io): Promise<string> {
  const { bundlePage, collectData, pageHtml } = await import('../page/index.ts');
  const [bundle, files] = await Promise.all([bundlePage(io.env), recordedTraces()]);
  return pageHtml(bundle, await collectData(files, { served: true }));
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(body);
}

/** Server-sent events, until the page goes. */
function listenTo(response: ServerResponse, listeners: Set<ServerResponse>): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.write(': here\n\n');
  listeners.add(response);
  response.on('close', () => listeners.delete(response));
}

/** Null: more than any trace has. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_BODY_BYTES) return null;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** How a system fared, in words that the page shows. */
interface Fared {
  readonly system: string;
  readonly good: boolean;
  readonly text: string;
}

async function replays(text: string, { on, io }: Serving): Promise<Fared[]> {
  const fared: Fared[] = [];
  for (const name of on) {
    const system = await openSystem(name, io.env);
    try {
      fared.push({ system: name, ...told(await replay(parseItf(text), system)) });
    } catch (error) {
      if (!(error instanceof ItfError) && !(error instanceof ReplayProblem)) throw error;
      fared.push({ system: name, good: false, text: error.message });
    } finally {
      await system.close();
    }
  }
  return fared;
}

function told(result: Awaited<ReturnType<typeof replay>>): Omit<Fared, 'system'> {
  switch (result.kind) {
    case 'conforms':
      return { good: true, text: `${result.steps} steps, all equal up to the last state, ${result.lastIndex}.` };
    case 'diverged': {
      const [first] = result.differences;
      const values =
        first === undefined
          ? ''
          : `: ${first.path} is ${first.after ? print(first.after) : 'not there'}, the trace has ${first.before ? print(first.before) : 'nothing'}`;
      return {
        good: false,
        text: `After step ${result.at.index}, ${result.at.action}, it shows something else${values}.`,
      };
    }
    case 'refused':
      return { good: false, text: `It refuses step ${result.at.index}, ${result.at.action}: ${result.reason}.` };
    case 'ambiguous':
      return { good: false, text: `The arguments of step ${result.at.index}, ${result.at.action}, are not known.` };
  }
}
