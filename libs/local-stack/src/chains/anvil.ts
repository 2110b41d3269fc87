// One anvil process: one chain, on loopback. No account is unlocked or rich from the beginning, since the keys of anvil's
// own accounts are known to everyone.

import type { ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { lastLines, rotateLog } from '../log-files';
import { endProcess } from '../processes';
import { serverProcess, type ServerProcess, spawnServer, watchEnd } from '../server-process';
import { AnvilRpc } from './anvil-rpc';
import { CHAIN_FOLDER_FLAG, statesFolder } from './chain-folder';
import { removeUnpacked, savedChainArguments } from './saved-chain';

const READY_TIMEOUT_MS = 60_000;
const READY_POLL_MS = 20;
const START_ATTEMPTS_MAX = 3;

/** `safe` is this many blocks behind the head, and `finalized` twice as many. */
const SLOTS_IN_AN_EPOCH = 4;
export const BLOCKS_UNTIL_FINAL = 2 * SLOTS_IN_AN_EPOCH;

/**
 * Balances and calls can be asked at this many recent blocks. A full node of Ethereum keeps 128; here they are saved with the
 * chain, and with 5,000 transfers 128 of them take 4 s to save, 16 take 0.9 s.
 */
const RECENT_STATES = 32;

export interface AnvilRequest {
  program: string;
  chainId: number;
  /** What is kept of the chain. */
  folder: string;
  log: string;
  /** Drawn again at each attempt. */
  port: () => Promise<number>;
  /** A block for each transaction, at once; otherwise blocks come by `evm_mine`. */
  automine?: boolean;
}

export interface Anvil extends ServerProcess {
  rpc: AnvilRpc;
}

/** Starts anvil with the chain that was saved in the folder, or with a new one, and waits until it answers. */
export async function startAnvil(request: AnvilRequest): Promise<Anvil> {
  const { program, chainId, folder, log, automine = false } = request;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  rotateLog(log);
  const saved = await savedChainArguments(folder);
  for (let attempt = 1; ; attempt += 1) {
    const port = await request.port();
    const child = spawnServer(
      program,
      [
        ...['--host', '127.0.0.1', '--port', String(port), '--chain-id', String(chainId), '--quiet'],
        ...['--accounts', '0', '--slots-in-an-epoch', String(SLOTS_IN_AN_EPOCH)],
        ...['--prune-history', String(RECENT_STATES), '--preserve-historical-states'],
        ...[CHAIN_FOLDER_FLAG, statesFolder(folder), '--no-request-size-limit', '--no-cors'],
        ...(automine ? [] : ['--no-mining']),
        ...saved,
      ],
      log,
      {},
    );
    const rpc = new AnvilRpc(`http://127.0.0.1:${port}`);
    if (await answers(child, rpc, chainId)) {
      removeUnpacked(folder);
      return { ...serverProcess(child), rpc };
    }
    if (attempt === START_ATTEMPTS_MAX)
      throw new OperatorError(`anvil does not start; its last words in ${log}: ${lastLines(log)}`);
  }
}

async function answers(child: ChildProcess, rpc: AnvilRpc, chainId: number): Promise<boolean> {
  const hasEnded = watchEnd(child);
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (!hasEnded() && Date.now() < deadline) {
    const answered = await rpc.call<string>('eth_chainId').catch(() => undefined);
    if (answered !== undefined) return Number(answered) === chainId;
    await sleep(READY_POLL_MS);
  }
  if (!hasEnded() && child.pid !== undefined) await endProcess(child.pid);
  return false;
}
