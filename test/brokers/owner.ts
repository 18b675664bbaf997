/** Starts what must not outlive it, says where, and waits to be killed. */
import { join } from 'node:path';
import { type JavaProcess, startJava, workFolder } from '../../src/brokers/process.ts';

let child: JavaProcess | null = null;
const folder = await workFolder(async () => {
  await child?.kill();
  await folder.remove();
  clearInterval(life);
});
child = await startJava({
  name: 'a sleeper',
  java: 'sleep',
  args: ['600'],
  folder: join(folder.path, 'sleeper'),
});
process.stdout.write(`${JSON.stringify({ folder: folder.path, pid: child.pid })}\n`);
const life = setInterval(() => {}, 1000);
