import { type Claim, type ClaimResult, checkDistributed, whyNotDistributed } from '../claims/index.ts';
import type { DistributedEvent } from '../tlc/index.ts';
import { checkLine } from './checks.ts';
import { type Io, UsageError } from './io.ts';
import { plural } from './show.ts';

export interface DistributedChecks {
  readonly workers: number;
  /** An address of this machine; none: loopback. */
  readonly listen?: string;
  readonly port?: number;
  readonly timeoutMs?: number;
  readonly silent: boolean;
}

/** The claims of these that TLC's distributed mode can settle. One that was asked for by name must be. */
export function distributable(claims: readonly Claim[], byName: boolean, io: Io): Claim[] {
  const reasons = claims.map((claim) => [claim, whyNotDistributed(claim)] as const);
  const [refused] = reasons.filter(([, reason]) => reason !== null);
  if (refused && byName) throw new UsageError(`${refused[0].claim} cannot be distributed: ${refused[1]}.`);
  const left = reasons.filter(([, reason]) => reason !== null);
  if (left.length > 0)
    io.err(
      `${plural(left.length, 'claim')} left out: counterexamples, told schedules and liveness cannot be distributed.`,
    );
  return reasons.flatMap(([claim, reason]) => (reason === null ? [claim] : []));
}

/** One claim after the other, each with a server and workers of its own. */
export async function runDistributed(
  claims: readonly Claim[],
  options: DistributedChecks,
  io: Io,
): Promise<ClaimResult[]> {
  const { workers, listen, port } = options;
  if (workers === 0 && listen === undefined)
    throw new UsageError(
      'Without workers of this machine there must be some of others: say with --listen where they find it.',
    );
  const results: ClaimResult[] = [];
  for (const claim of claims) {
    if (io.signal.aborted) break;
    const result = await checkDistributed(
      claim,
      {
        workers,
        ...(listen === undefined ? {} : { host: listen }),
        ...(port === undefined ? {} : { port }),
        onEvent: (event) => {
          if (!options.silent) io.err(eventLine(event, listen !== undefined));
        },
      },
      { env: io.env, signal: io.signal, ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }) },
    );
    if (!options.silent) io.out(checkLine(result, io));
    results.push(result);
  }
  return results;
}

function eventLine(event: DistributedEvent, forOthers: boolean): string {
  switch (event.kind) {
    case 'serverReady': {
      const { host, port } = event.address;
      return forOthers
        ? `    server on ${host}, port ${port}. On another machine, with the same jar:\n      ${event.command}`
        : `    server on ${host}, port ${port}, for this machine only`;
    }
    case 'workerStarted':
      return `    worker started (process ${event.pid})`;
    case 'workerJoined':
      return `    ${plural(event.count, 'worker')} joined`;
    case 'workerDied':
      return `    a worker died (${event.how}); what it was at is done again${event.replaced ? ', and another one is started' : ''}`;
  }
}
