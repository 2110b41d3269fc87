/** Waits, with all faults healed, until nothing is under way any more: bounded, because what never ends is a finding. */
import { setTimeout as delay } from 'node:timers/promises';
import { BLOCKS_UNTIL_FINAL } from '@stablecoin/testing/chain';
import type { Ground } from '../ground/ground';
import type { ChainRecord } from '../oracle/chain-record';
import type { Actor } from './actor';

const POLL_MS = 40;
/** Blocks go on coming while anything is under way, as they do on a network. */
const POLLS_PER_BLOCK = 6;

export interface Waiting {
  ground: Ground;
  record: ChainRecord;
  actor: Actor;
  merchants: readonly string[];
  timeoutMs: number;
}

/** @returns what is still under way at the deadline; nothing if all went well */
export async function untilQuiet({ ground, record, actor, merchants, timeoutMs }: Waiting): Promise<string[]> {
  const deadline = Date.now() + timeoutMs;
  await actor.mine(1);
  // Whatever was in a block that is replaced by now is final, or gone, when its height is.
  const last = record.height;
  for (let poll = 1; ; poll += 1) {
    const isFinal = record.height >= last + BLOCKS_UNTIL_FINAL;
    if (!isFinal || poll % POLLS_PER_BLOCK === 0) await actor.mine(1);
    const left = isFinal ? await underWay(ground, record, merchants) : ['blocks that are not final'];
    if (left.length === 0) return [];
    if (Date.now() > deadline) return left;
    await delay(POLL_MS);
  }
}

interface ChainState {
  walked: boolean | null;
  unfinished: string[] | null;
  transfers: string[] | null;
}

async function underWay({ databases }: Ground, record: ChainRecord, merchants: readonly string[]): Promise<string[]> {
  const [chain] = await databases.read<ChainState>(
    'chain',
    `SELECT (SELECT tip_hash = $1 AND final_number = $2 AND checked_number = $2 FROM walks) AS walked,
       (SELECT array_agg(id || ' ' || standing || ' ' || booked) FROM deposits
        WHERE next_step_at IS NOT NULL OR standing IN ('included', 'orphaned')) AS unfinished,
       (SELECT array_agg(reference || ' ' || state || ' ' || coalesce(held_by, '')) FROM outgoing_transfers
        WHERE state IN ('waiting', 'sent')) AS transfers`,
    [Buffer.from((record.headHash ?? '').slice(2), 'hex'), record.final],
  );
  const pending = await databases.read<{ transaction_id: string }>(
    'ledger',
    `SELECT transaction_id FROM transactions WHERE status = 'PENDING' AND merchant_id = ANY ($1)`,
    [merchants],
  );
  return [
    ...(chain?.walked === true
      ? []
      : [`the chain is not walked up to its head, ${record.height}, and final ${record.final}`]),
    ...(chain?.unfinished ?? []).map((each) => `deposit ${each} is under way`),
    ...(chain?.transfers ?? []).map((each) => `transfer ${each} is under way`),
    ...pending.map(({ transaction_id }) => `transaction ${transaction_id} is PENDING at the ledger`),
  ];
}
