import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TemporaryFolders } from '../fixtures/temporary-folders';
import { startAnvil } from './anvil';
import { requireAnvil } from './anvil-binary';

const folders = new TemporaryFolders();
afterAll(() => folders.remove());

it('a saved chain that is damaged is refused, with the way out', async () => {
  const folder = folders.make();
  writeFileSync(join(folder, 'chain.json.gz'), 'damaged');
  const start = startAnvil({
    ...{ program: requireAnvil(process.env), chainId: 1, folder, log: join(folder, 'log') },
    port: () => Promise.resolve(1),
  });
  await expect(start).rejects.toThrow(/can't be read: restore it from a backup, or begin a new chain/);
});
