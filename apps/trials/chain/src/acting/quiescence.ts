/** Waits, with all faults healed, until nothing is under way any more: bounded, because what never ends is a finding. */
import { setTimeout as delay } from 'node:timers/promises';
import { BLOCKS_UNTIL_FINAL } from '@stablecoin/testing/chain';
import type { Ground } from '../ground/ground';
import type { ChainRecord } from '../oracle/chain-record';
import type { Actor } from './actor';

const POLL_MS = 40;
/** Of blocks that nothing waits for: they go on coming, as they do on a network, and seldom enough for the head to be reached. */
const POLLS_PER_IDLE_BLOCK = 30;

export interface Waiting {
  ground: Ground;
  record: ChainRecord;
  actor: Actor;
  merchants: readonly string[];
  timeoutMs: number;
}

interface UnderWay {
  deposits: string[];
  transfers: string[];
  /** Of what needs no further block. */
  others: string[];
}

/** @returns what is still under way at the deadline; nothing if all went well */
export async function untilQuiet({ ground, record, actor, merchants, timeoutMs }: Waiting): Promise<string[]> {
  const deadline = Date.now() + timeoutMs;
  await actor.mine(1);
  // Whatever was in a block that is replaced by now is final, or gone, when its height is.
  const last = record.height;
  let areLooksHastened = false;
  await ground.databases.hastenHeldTransfers();
  for (let poll = 1; ; poll += 1) {
    const isFinal = record.height >= last + BLOCKS_UNTIL_FINAL;
    const { deposits, transfers, others } = await underWay(ground, record, merchants);
    const left = [...(isFinal ? [] : ['blocks that are not final']), ...deposits, ...transfers, ...others];
    if (left.length === 0) return [];
    if (Date.now() > deadline) return left;
    if (isFinal && transfers.length === 0 && !areLooksHastened) {
      areLooksHastened = true;
      await ground.databases.hastenLooks();
    }
    await delay(POLL_MS);
    const needsBlocks = !isFinal || deposits.length + transfers.length > 0;
    if (needsBlocks || poll % POLLS_PER_IDLE_BLOCK === 0) await actor.mine(1);
  }
}

interface ChainState {
  walked: boolean | null;
  unfinished: string[] | null;
  transfers: string[] | null;
}

async function underWay({ databases }: Ground, record: ChainRecord, merchants: readonly string[]): Promise<UnderWay> {
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
  const payouts = await databases.read<{ payout: string }>(
    'payout',
    `SELECT id || ' ' || state AS payout FROM payouts WHERE next_step_at IS NOT NULL`,
  );
  return {
    deposits: (chain?.unfinished ?? []).map((each) => `deposit ${each} is under way`),
    transfers: (chain?.transfers ?? []).map((each) => `transfer ${each} is under way`),
    others: [
      ...(chain?.walked === true
        ? []
        : [`the chain is not walked up to its head, ${record.height}, and final ${record.final}`]),
      ...pending.map(({ transaction_id }) => `transaction ${transaction_id} is PENDING at the ledger`),
      ...payouts.map(({ payout }) => `payout ${payout} is under way`),
    ],
  };
}
