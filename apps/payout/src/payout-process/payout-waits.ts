import { Injectable } from '@nestjs/common';
import { endPayoutWait } from '@stablecoin/contracts/wallet/end-payout-wait';
import { LedgerFact } from '@stablecoin/contracts/wallet/facts';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { derivedCommand } from '@stablecoin/messaging/derived-command';
import { Sql } from '@stablecoin/persistence/sql';
import { PayoutDatabase } from '../persistence/payout-database';
import { DueLane, IN_LANE } from './due-lane';

export interface WaitingPayout {
  id: string;
  merchant_id: string;
  shard: number;
  attempts: number;
}

/** The ledger goes by its own clock, which may be behind ours; and the fact of what it has decided may be on its way. */
const ASK_AGAIN_MS = 5_000;

/**
 * Payouts that no rail may have yet: they wait for approvals, or for a destination to be known for long enough. The ledger
 * decides both. When the time comes it is asked; what it answers comes as a fact, like an approval: `payout-released`, with
 * which the payout's process begins, or `payout-failed`.
 */
@Injectable()
export class PayoutWaits {
  constructor(
    private readonly database: PayoutDatabase,
    private readonly bus: BusClient,
  ) {}

  /** Facts come in any order: a payout that has gone on already waits no more. */
  async expect(sql: Sql, facts: readonly LedgerFact[]): Promise<void> {
    const waiting = waitsIn(facts);
    if (waiting.length === 0) return;
    await sql.$executeRaw`
      INSERT INTO waiting_payouts (id, merchant_id, shard, next_step_at)
      SELECT waiting.* FROM jsonb_to_recordset(${JSON.stringify(waiting)}::jsonb)
        AS waiting (id uuid, merchant_id uuid, shard int, until timestamptz)
      WHERE NOT EXISTS (SELECT FROM payouts WHERE payouts.id = waiting.id)
      ON CONFLICT (id) DO NOTHING`;
  }

  /** One that has its approvals, and waits for its time alone. */
  async approved(sql: Sql, facts: readonly LedgerFact[]): Promise<void> {
    const waiting = waitsIn(facts).filter((each) => each.for === 'cooling_off');
    if (waiting.length === 0) return;
    await sql.$executeRaw`
      INSERT INTO waiting_payouts AS known (id, merchant_id, shard, next_step_at)
      SELECT waiting.* FROM jsonb_to_recordset(${JSON.stringify(waiting)}::jsonb)
        AS waiting (id uuid, merchant_id uuid, shard int, until timestamptz)
      WHERE NOT EXISTS (SELECT FROM payouts WHERE payouts.id = waiting.id)
      ON CONFLICT (id) DO UPDATE SET next_step_at = excluded.next_step_at, attempts = 0`;
  }

  async end(sql: Sql, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await sql.$executeRaw`DELETE FROM waiting_payouts WHERE id = ANY (${[...ids]}::uuid[])`;
  }

  async takeDue(lane: DueLane, limit: number, leaseMs: number): Promise<WaitingPayout[]> {
    return this.database.$queryRaw<WaitingPayout[]>`
      UPDATE waiting_payouts SET next_step_at = clock_timestamp() + ${leaseMs}::int * interval '1 millisecond'
      WHERE id IN (
        SELECT id FROM waiting_payouts WHERE ${IN_LANE[lane]} AND next_step_at <= now()
        ORDER BY next_step_at LIMIT ${limit}::int FOR UPDATE SKIP LOCKED
      )
      RETURNING id, merchant_id, shard, attempts`;
  }

  /** The row goes with the fact: until then the ledger is asked again, and answers that there is nothing to end. */
  async step({ id, merchant_id, shard }: WaitingPayout): Promise<void> {
    const terms = { merchant_id, transaction: id };
    try {
      await this.bus.call(endPayoutWait, { ...terms, ...derivedCommand(`end-payout-wait:${id}`, terms) }, { shard });
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'invalid_transition')) throw error;
    }
    await this.database.$executeRaw`
      UPDATE waiting_payouts SET attempts = 0,
        next_step_at = clock_timestamp() + ${ASK_AGAIN_MS}::int * interval '1 millisecond'
      WHERE id = ${id}::uuid`;
  }

  async tryAgain(id: string, afterMs: number): Promise<void> {
    await this.database.$executeRaw`
      UPDATE waiting_payouts SET attempts = attempts + 1,
        next_step_at = clock_timestamp() + ${afterMs}::int * interval '1 millisecond'
      WHERE id = ${id}::uuid AND next_step_at IS NOT NULL`;
  }
}

const waitsIn = (facts: readonly LedgerFact[]) =>
  facts.flatMap(({ merchant_id, shard, transactions }) =>
    transactions.flatMap(({ id, waiting }) => (waiting ? [{ id, merchant_id, shard, ...waiting }] : [])),
  );
