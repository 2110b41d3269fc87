import { Injectable } from '@nestjs/common';
import { Hex } from '@stablecoin/chain-node/chain-node';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { NetworkStatus, UnconfirmedDeposit, UnconfirmedPayout } from '@stablecoin/contracts/chain/status';
import { TransferHold, TransferState } from '@stablecoin/contracts/chain/views';
import { ChainDatabase } from '../persistence/chain-database';

type WalkStatus = Pick<NetworkStatus, 'head' | 'tip' | 'tip_at' | 'final' | 'rescan_from'>;
const NOT_WALKED: WalkStatus = { head: null, tip: null, tip_at: null, final: null, rescan_from: null };

/** What is stored of how far a network is, and of what is open on it. */
@Injectable()
export class StatusQuery {
  constructor(private readonly database: ChainDatabase) {}

  async walk(network: EvmNetwork): Promise<WalkStatus> {
    const [row] = await this.database.$queryRaw<
      { head: bigint; tip: bigint; timestamp: bigint; final: bigint; rescan_from: bigint | null }[]
    >`
      SELECT head_number AS head, tip_number AS tip, tip_timestamp AS timestamp, final_number AS final, rescan_from
      FROM walks WHERE network = ${network}`;
    if (!row) return NOT_WALKED;
    return {
      ...{ head: Number(row.head), tip: Number(row.tip), final: Number(row.final) },
      tip_at: new Date(Number(row.timestamp) * 1_000).toISOString(),
      rescan_from: row.rescan_from === null ? null : Number(row.rescan_from),
    };
  }

  async oldestUnconfirmedDeposit(network: EvmNetwork): Promise<UnconfirmedDeposit | null> {
    const [row] = await this.database.$queryRaw<{ transaction_hash: Hex; block_number: bigint; seen_at: Date }[]>`
      SELECT '0x' || encode(transaction_hash, 'hex') AS transaction_hash, block_number, seen_at FROM deposits
      WHERE network = ${network} AND standing IN ('included', 'orphaned') ORDER BY seen_at, id LIMIT 1`;
    if (!row) return null;
    const { transaction_hash, block_number, seen_at } = row;
    return { transaction_hash, block_number: Number(block_number), seen_at: seen_at.toISOString() };
  }

  async oldestUnconfirmedPayout(network: EvmNetwork): Promise<UnconfirmedPayout | null> {
    const [row] = await this.database.$queryRaw<
      { reference: string; state: TransferState; held_by: TransferHold | null; created_at: Date }[]
    >`
      SELECT reference, state, held_by, created_at FROM outgoing_transfers
      WHERE network = ${network} AND kind = 'payout' AND state IN ('waiting', 'sent') ORDER BY created_at, id LIMIT 1`;
    return row ? { ...row, created_at: row.created_at.toISOString() } : null;
  }

  async openTransfers(network: EvmNetwork): Promise<Pick<NetworkStatus, 'waiting' | 'sent'>> {
    const rows = await this.database.$queryRaw<{ state: TransferState; held_by: TransferHold | null; count: number }[]>`
      SELECT state, held_by, count(*)::int AS count FROM outgoing_transfers
      WHERE network = ${network} AND state IN ('waiting', 'sent') GROUP BY state, held_by`;
    const waiting = rows.filter(({ state }) => state === 'waiting');
    return {
      waiting: Object.fromEntries(waiting.map(({ held_by, count }) => [held_by ?? 'turn', count])),
      sent: rows.filter(({ state }) => state === 'sent').reduce((sum, { count }) => sum + count, 0),
    };
  }
}
