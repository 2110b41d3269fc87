// A chain's blocks, receipts, logs and state on disk. anvil's own --state writes the file in place (killed while it
// writes, it leaves a file that it refuses to start from); here the former file stays until the new one is whole.

import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { sync } from '../durable-files';
import type { AnvilRpc } from './anvil-rpc';

const unzip = promisify(gunzip);

const savedFile = (folder: string) => join(folder, 'chain.json.gz');
const loadedFile = (folder: string) => join(folder, 'loaded.json');

/** Saves the chain with the states of its recent blocks; durable when it resolves. */
export async function saveChain(rpc: AnvilRpc, folder: string): Promise<void> {
  const withRecentStates = true;
  const zipped = await rpc.call<string>('anvil_dumpState', withRecentStates);
  const draft = `${savedFile(folder)}.draft`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(Buffer.from(zipped.slice(2), 'hex'));
    await file.sync();
  } finally {
    await file.close();
  }
  renameSync(draft, savedFile(folder));
  await sync(dirname(savedFile(folder)));
}

/** anvil's arguments to begin with what was saved; none for a new chain. */
export async function savedChainArguments(folder: string): Promise<string[]> {
  const saved = savedFile(folder);
  if (!existsSync(saved)) return [];
  const state = await unzip(readFileSync(saved)).catch(() => {
    throw new OperatorError(
      `${saved} can't be read: restore it from a backup, or begin a new chain with rm -r ${folder}.`,
    );
  });
  writeFileSync(loadedFile(folder), state, { mode: 0o600 });
  return ['--load-state', loadedFile(folder)];
}

/** Removes the unpacked copy, which anvil reads only as it starts. */
export const removeUnpacked = (folder: string) => rmSync(loadedFile(folder), { force: true });
