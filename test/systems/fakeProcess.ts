import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ProcessOptions, type ProcessSystem, processSystem } from '../../src/systems/process.ts';

/**
 * The smallest process that speaks the protocol, and can misbehave: its "cluster" is the list of the steps taken. `on` is
 * JavaScript that runs for each request, before the honest answer is given.
 */
export interface FakeProcess {
  start(options?: Partial<ProcessOptions>): Promise<ProcessSystem>;
  remove(): Promise<void>;
  readonly path: string;
}

const honest = `
import { createInterface } from 'node:readline';
const say = (answer) => process.stdout.write(JSON.stringify(answer) + '\\n');
const hello = {
  protocol: 1,
  name: 'fake',
  observable: ['steps'],
  notObservable: { log: 'it has none' },
  unsupported: { Flush: 'nothing to flush' },
};
let steps = [];
const answers = {
  hello: () => hello,
  reset: ({ config }) => { steps = [config.firstLeader]; return { ok: true }; },
  step: ({ action, args, id }) => {
    if (hello.unsupported[action]) return { kind: 'refused', reason: hello.unsupported[action] };
    steps.push([action, ...args].join(' '));
    return { kind: 'taken', effects: action === 'Write' ? [{ kind: 'acknowledged', id, acks: args[1] }] : [] };
  },
  observe: () => ({ observation: { steps } }),
  close: () => ({ ok: true }),
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const request = JSON.parse(line);
  if (misbehaves(request)) return;
  say(answers[request.request](request));
  if (request.request === 'close') process.exit(0);
});
`;

/** `misbehaves`: the body of a function of \`request\`; what it returns as true gets no honest answer. */
export async function fakeProcess(misbehaves = 'return false;'): Promise<FakeProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'leader-epoch-fake-'));
  const path = join(folder, 'fake.mjs');
  await writeFile(path, `${honest}\nfunction misbehaves(request) { ${misbehaves} }\n`);
  return {
    path,
    start: (options = {}) =>
      processSystem({ command: process.execPath, args: [path], name: 'fake', graceMs: 200, ...options }),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
