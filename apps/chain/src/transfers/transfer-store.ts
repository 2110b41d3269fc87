/** Orders of transfers, and what became of them. What a lane changes of them is in lane-store.ts. */
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { TransferFailure, TransferState } from '@stablecoin/contracts/chain/views';
import { byteaText } from '../persistence/bytes';
import { ChainDatabase } from '../persistence/chain-database';
import { Prisma } from '../persistence/generated/client';
import { isSameOrder, OtherTerms, OutgoingTransfer, TransferOrder } from './transfer';
import { TRANSFER_COLUMNS, transferOf, TransferRow } from './transfer-rows';

interface ListedTransfers {
  network?: EvmNetwork;
  state?: TransferState;
  page: number;
  limit: number;
}

@Injectable()
export class TransferStore {
  constructor(private readonly database: ChainDatabase) {}

  /**
   * Stores the order, or finds the one that was stored under its reference before. A payout to a deposit address fails: it
   * would come back as a deposit.
   *
   * @param failure where it is refused for good before anything of it is tried
   * @throws OtherTerms
   */
  async order(order: TransferOrder, failure: TransferFailure | null = null): Promise<OutgoingTransfer> {
    const { reference, network, kind, from, toIndex = null, currency, units, signedOrder } = order;
    const fromIndex = from.kind === 'deposit' ? from.index : null;
    const [ordered] = await this.database.$queryRaw<TransferRow[]>`
      INSERT INTO outgoing_transfers (id, reference, network, kind, from_address, from_index, to_index, to_address, currency,
        units, state, held_by, failure, order_text, order_signature)
      SELECT ${randomUUID()}::uuid, ${reference}, ${network}, ${kind}, ${byteaText(order.fromAddress)}::bytea,
        ${fromIndex}::int, ${toIndex}::int, ${byteaText(order.toAddress)}::bytea, ${currency}, ${units.toString()}::numeric,
        CASE WHEN refused.failure IS NULL THEN 'waiting' ELSE 'failed' END, CASE WHEN refused.failure IS NULL THEN 'turn' END,
        refused.failure, ${signedOrder?.text ?? null}, ${signedOrder?.signature ?? null}
      FROM (
        SELECT coalesce(${failure}::text, CASE WHEN ${kind}::text = 'payout' AND EXISTS (
          SELECT FROM deposit_addresses WHERE address = ${byteaText(order.toAddress)}::bytea
        ) THEN 'unpayable_address' END) AS failure
      ) AS refused
      ON CONFLICT (reference) DO NOTHING RETURNING ${TRANSFER_COLUMNS}`;
    const stored = ordered ? transferOf(ordered) : await this.find(reference);
    if (!stored) throw new Error(`the transfer ${reference} was not stored`);
    if (!isSameOrder(stored, order)) throw new OtherTerms(reference);
    return stored;
  }

  async find(reference: string): Promise<OutgoingTransfer | undefined> {
    const [row] = await this.database.$queryRaw<TransferRow[]>`
      SELECT ${TRANSFER_COLUMNS} FROM outgoing_transfers WHERE reference = ${reference}`;
    return row && transferOf(row);
  }

  /**
   * Records, once, that an operator wants it ended. Of what was never given a nonce nothing can be signed: it ends here; the
   * lane ends everything else.
   */
  async cancel(reference: string, actor: string, reason: string): Promise<void> {
    await this.database.$executeRaw`
      UPDATE outgoing_transfers SET cancelled_by = ${actor}, cancel_reason = ${reason}, cancelled_at = clock_timestamp(),
        updated_at = clock_timestamp(), retry_at = NULL, held_by = CASE WHEN nonce IS NOT NULL THEN held_by END,
        state = CASE WHEN nonce IS NULL THEN 'failed' ELSE state END,
        failure = CASE WHEN nonce IS NULL THEN 'cancelled' END
      WHERE reference = ${reference} AND cancelled_by IS NULL AND state IN ('waiting', 'sent')
        AND held_by IS DISTINCT FROM 'transfer_missing'`;
  }

  /** The newest first. */
  async list(asked: ListedTransfers): Promise<{ items: OutgoingTransfer[]; total: number }> {
    const { network = null, state = null, page, limit } = asked;
    const listed = Prisma.sql`(${network}::text IS NULL OR network = ${network}) AND (${state}::text IS NULL OR state = ${state})`;
    const [rows, [count]] = await Promise.all([
      this.database.$queryRaw<TransferRow[]>`
        SELECT ${TRANSFER_COLUMNS} FROM outgoing_transfers WHERE ${listed}
        ORDER BY created_at DESC, id LIMIT ${limit}::int OFFSET ${(page - 1) * limit}::int`,
      this.database.$queryRaw<{ total: number }[]>`
        SELECT count(*)::int AS total FROM outgoing_transfers WHERE ${listed}`,
    ]);
    return { items: rows.map(transferOf), total: count?.total ?? 0 };
  }
}
