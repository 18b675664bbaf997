import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { checkDistributed, loadClaims, pickClaims } from '../../src/claims/index.ts';
import { commandForAnotherMachine, serverArgs, workerArgs } from '../../src/tlc/distributed/argv.ts';
import type { DistributedEvent } from '../../src/tlc/index.ts';
import { run } from '../support/io.ts';
import { describeWithTlc, PATIENCE_MS } from '../support/tlc.ts';

const address = { host: '127.0.0.1', port: 4711 };
const program = { jar: '/tla2tools.jar', temporary: '/own', address, memoryBytes: 8 * 1024 ** 3, sharers: 2 };

describe('the programs of a distributed run', () => {
  test('listen on the one address, and the server is told not to look for deadlocks', () => {
    const args = serverArgs({ checkDeadlock: false }, { ...program, spec: '/own/M.tla', config: '/own/M.cfg' });
    expect(args).toContain('-Djava.rmi.server.hostname=127.0.0.1');
    expect(args.slice(args.indexOf('-cp'))).toEqual([
      ...['-cp', '/tla2tools.jar', '/own/BoundTo.java', '127.0.0.1', 'tlc2.tool.distributed.TLCServer', '-tool'],
      ...['-metadir', '/own/states', '-fp', '0', '-config', '/own/M.cfg', '-deadlock', '/own/M.tla'],
    ]);
  });

  test('share the memory', () => {
    expect(workerArgs(program)).toContain('-Xmx2048m');
    expect(workerArgs(program).at(-1)).toBe('127.0.0.1');
  });

  test('are started on another machine by a command that needs the jar alone', () => {
    expect(commandForAnotherMachine({ host: '10.0.0.7', port: 4711 })).toBe(
      'java -Dtlc2.tool.distributed.TLCServer.port=4711 -cp tla2tools.jar tlc2.tool.distributed.TLCWorker 10.0.0.7',
    );
  });
});

describe('a distributed check', () => {
  test.each([
    ['fast-restart-loss', 'TLC shows the last step of a counterexample there, not the way to it'],
    ['second-round', 'it follows one schedule by the depth of the search, and there is no TLCGet'],
    ['joins-isr', 'it is about liveness, which is not checked there'],
  ])('of %s is refused', async (claim, reason) => {
    const { exitCode, err } = await run(['check', claim, '--distributed']);
    expect([exitCode, err]).toEqual([2, `${claim} cannot be distributed: ${reason}.`]);
  });

  test('without any worker of this machine needs an address for others', async () => {
    const { exitCode, err } = await run(['check', 'undefined-epoch-guarded', '--distributed', '--workers', '0']);
    expect([exitCode, err]).toEqual([
      2,
      'Without workers of this machine there must be some of others: say with --listen where they find it.',
    ]);
  });
});

/** Some 20 s, so not in `npm test`: `npm run test:trust`. */
const describeAtLeisure = process.env.LEADER_EPOCH_TRUST === '1' ? describeWithTlc : describe.skip;

describeAtLeisure('two workers on loopback', () => {
  const [claim] = pickClaims(loadClaims(), ['delayed-high-watermark'], () => false);

  test(
    'find what one machine finds, and a worker that is killed costs nothing',
    async () => {
      const events: DistributedEvent[] = [];
      let listening = '';
      const onEvent = (event: DistributedEvent): void => {
        events.push(event);
        if (event.kind !== 'workerJoined' || event.count !== 2) return;
        listening = execFileSync('ss', ['-ltn'], { encoding: 'utf8' });
        const last = events.findLast(({ kind }) => kind === 'workerStarted');
        if (last?.kind === 'workerStarted') process.kill(last.pid, 'SIGKILL');
      };
      const result = await checkDistributed(claim as NonNullable<typeof claim>, { workers: 2, onEvent });
      expect(result.verdict).toEqual({ kind: 'asClaimed' });
      expect(result.statistics.distinct).toBe(5307);
      expect(events.filter(({ kind }) => kind !== 'workerJoined').map(({ kind }) => kind)).toEqual([
        ...['serverReady', 'workerStarted', 'workerStarted', 'workerDied', 'workerStarted'],
      ]);
      const [ready] = events;
      const port = ready?.kind === 'serverReady' ? ready.address.port : 0;
      expect(listening).toMatch(new RegExp(`127\\.0\\.0\\.1\\]?:${port}\\b`));
    },
    PATIENCE_MS,
  );
});
