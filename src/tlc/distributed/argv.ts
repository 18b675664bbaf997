import { join } from 'node:path';
import { defaultHeapMb, STACK, type TlcSettings } from '../argv.ts';

/** Where the server of a distributed run listens. */
export interface Address {
  /** An address of this machine, such as 127.0.0.1. */
  readonly host: string;
  readonly port: number;
}

interface Program {
  readonly jar: string;
  /** A folder of this program only: SANY unpacks modules there. */
  readonly temporary: string;
  readonly address: Address;
  readonly memoryBytes: number;
  /** Programs that share the memory. */
  readonly sharers: number;
}

const SERVER = 'tlc2.tool.distributed.TLCServer';
const WORKER = 'tlc2.tool.distributed.TLCWorker';

/** The arguments of `java` for the server. Without `-deadlock` it would report one at the end of every model. */
export function serverArgs(
  settings: TlcSettings,
  program: Program & { readonly spec: string; readonly config: string },
): string[] {
  return [
    ...common(program, settings.heapMb),
    ...bound(program, SERVER),
    '-tool',
    ...['-metadir', join(program.temporary, 'states')],
    ...['-fp', String(settings.fingerprint ?? 0)],
    ...['-config', program.config],
    ...(settings.checkDeadlock === false ? ['-deadlock'] : []),
    program.spec,
  ];
}

/** The arguments of `java` for a worker on this machine; it gets the specification from the server. */
export function workerArgs(program: Program): string[] {
  return [
    ...common(program),
    // Else a worker has as many threads as there are cores.
    `-D${WORKER}.threadCount=1`,
    ...bound(program, WORKER),
    program.address.host,
  ];
}

/** What to type on another machine, which needs Java and the same jar. */
export function commandForAnotherMachine({ host, port }: Address): string {
  return `java -D${SERVER}.port=${port} -cp tla2tools.jar ${WORKER} ${host}`;
}

function common({ temporary, address, memoryBytes, sharers }: Program, heapMb?: number): string[] {
  return [
    '-XX:+UseParallelGC',
    STACK,
    `-Xmx${heapMb ?? Math.max(256, Math.floor(defaultHeapMb(memoryBytes) / sharers))}m`,
    '-XX:-UsePerfData',
    `-XX:ErrorFile=${join(temporary, 'hs_err.log')}`,
    `-Djava.io.tmpdir=${temporary}`,
    `-Djava.rmi.server.hostname=${address.host}`,
    `-D${SERVER}.port=${address.port}`,
    '-Dfile.encoding=UTF-8',
    '-Duser.language=en',
  ];
}

/** TLC's main class, with sockets of this address only. */
function bound({ jar, temporary, address }: Program, mainClass: string): string[] {
  return ['-cp', jar, join(temporary, 'BoundTo.java'), address.host, mainClass];
}
