import { expect, it } from 'vitest';
import { ControllerFile } from '../../src/cluster/controllerFile.ts';
import { MemoryFiles } from '../../src/disk/index.ts';

it('the state of a controller with ten brokers and more is read back', () => {
  const replicas = Array.from({ length: 12 }, (_, index) => String(index + 1));
  const file = new ControllerFile(new MemoryFiles(), 'folder', 'records');
  const news = { epoch: 3, leader: '2', isr: ['10', '2'] };
  const state = { news, incarnations: Object.fromEntries(replicas.map((id) => [id, 4])) };
  file.write(state);
  expect(file.read(replicas)).toEqual(state);
});
