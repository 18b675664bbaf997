import { describe, expect, it, test } from 'vitest';
import { ControllerFile } from '../../src/cluster/controllerFile.ts';
import { MemoryFiles } from '../../src/disk/index.ts';

describe('the state of a controller', () => {
  it('is read back, with ten brokers and more', () => {
    const replicas = Array.from({ length: 12 }, (_, index) => String(index + 1));
    const file = new ControllerFile(new MemoryFiles(), 'folder', 'records');
    const news = { epoch: 3, leader: '2', isr: ['10', '2'] };
    const state = { news, incarnations: Object.fromEntries(replicas.map((id) => [id, 4])) };
    file.write(state);
    expect(file.read(replicas)).toEqual(state);
  });

  test.each([
    ['9', ['1']],
    ['none', ['1', '9']],
  ])('is not taken where it speaks of a broker that there is not: leader %s, ISR %s', (leader, isr) => {
    const file = new ControllerFile(new MemoryFiles(), 'folder', 'records');
    file.write({ news: { epoch: 3, leader, isr }, incarnations: { '1': 0, '2': 0 } });
    expect(() => file.read(['1', '2'])).toThrow(
      'folder/controller.json is not what was written: there is no broker 9. Without it nobody knows who led.',
    );
  });
});
