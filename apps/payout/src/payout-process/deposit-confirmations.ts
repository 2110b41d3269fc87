import { CallerSecret } from '@stablecoin/command-proofs/caller-secret';
import { signEvidence } from '@stablecoin/command-proofs/evidence';
import { depositEnd } from '../rails/sandbox-evidence';
import { Injectable } from '@nestjs/common';
import { HELD_DEPOSIT } from '@stablecoin/contracts/payout/simulate-deposit-outcome';
import { confirmDeposit } from '@stablecoin/contracts/wallet/confirm-deposit';
import { FactTransaction, LedgerFact } from '@stablecoin/contracts/wallet/facts';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { derivedCommand } from '@stablecoin/messaging/derived-command';
import { Sql } from '@stablecoin/persistence/sql';
import { PayoutConfiguration } from '../payout.configuration';
import { PayoutDatabase } from '../persistence/payout-database';
import { cameOverChain } from './chain-deposit';
import { DueLane, IN_LANE } from './due-lane';

export interface DueDeposit {
  id: string;
  merchant_id: string;
  shard: number;
  attempts: number;
}

/**
 * Where confirmations take no time, the ledger completes a deposit in the commit that records it, and that fact follows.
 * One that does not follow belongs to a deposit recorded under an earlier SANDBOX_CONFIRM_MS: it is confirmed after this.
 */
const COMPLETION_FACT_MS = 2_000;

/**
 * Deposits that wait for their confirmations. Where the sandbox takes no time for them, a deposit's two facts mostly come
 * in one batch, and nothing is kept here.
 */
@Injectable()
export class DepositConfirmations {
  constructor(
    private readonly database: PayoutDatabase,
    private readonly bus: BusClient,
    private readonly configuration: PayoutConfiguration,
    private readonly secret: CallerSecret,
  ) {}

  /** @param endings facts of the same batch: their deposits need nothing more */
  async expect(sql: Sql, recorded: LedgerFact[], endings: LedgerFact[]): Promise<void> {
    const ended = endings.flatMap(({ transactions }) => transactions.map(({ id }) => id));
    await this.close(sql, ended);
    const pending = recorded.flatMap(({ merchant_id, shard, transactions }) =>
      transactions
        .filter((transaction) => awaitsTheSandbox(transaction) && !ended.includes(transaction.id))
        .map(({ id }) => ({ id, merchant_id, shard })),
    );
    if (pending.length === 0) return;
    const confirmMs = this.configuration.sandboxConfirmMs || COMPLETION_FACT_MS;
    await sql.$executeRaw`
      INSERT INTO deposit_confirmations (id, merchant_id, shard, next_step_at)
      SELECT id, merchant_id, shard, clock_timestamp() + ${confirmMs}::int * interval '1 millisecond'
      FROM jsonb_to_recordset(${JSON.stringify(pending)}::jsonb) AS pending (id uuid, merchant_id uuid, shard int)
      ON CONFLICT (id) DO NOTHING`;
  }

  private async close(sql: Sql, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await sql.$executeRaw`
      UPDATE deposit_confirmations SET next_step_at = NULL
      WHERE id = ANY (${[...ids]}::uuid[]) AND next_step_at IS NOT NULL`;
  }

  async takeDue(lane: DueLane, limit: number, leaseMs: number): Promise<DueDeposit[]> {
    return this.database.$queryRaw<DueDeposit[]>`
      UPDATE deposit_confirmations SET next_step_at = clock_timestamp() + ${leaseMs}::int * interval '1 millisecond'
      WHERE id IN (
        SELECT id FROM deposit_confirmations WHERE ${IN_LANE[lane]} AND next_step_at <= now()
        ORDER BY next_step_at LIMIT ${limit}::int FOR UPDATE SKIP LOCKED
      )
      RETURNING id, merchant_id, shard, attempts`;
  }

  async step({ id, merchant_id, shard }: DueDeposit): Promise<void> {
    const terms = { merchant_id, id };
    try {
      const command = { ...terms, ...derivedCommand(`confirm-deposit:${id}`, terms) };
      const evidence = signEvidence(this.secret, depositEnd(command, 'COMPLETED'));
      await this.bus.call(confirmDeposit, command, { shard, evidence });
    } catch (error) {
      // It is not pending any more: there is nothing left to confirm.
      if (!(error instanceof Refusal && error.code === 'invalid_transition')) throw error;
    }
    await this.database.$executeRaw`UPDATE deposit_confirmations SET next_step_at = NULL WHERE id = ${id}::uuid`;
  }

  async tryAgain(id: string, afterMs: number): Promise<void> {
    await this.database.$executeRaw`
      UPDATE deposit_confirmations SET attempts = attempts + 1,
        next_step_at = clock_timestamp() + ${afterMs}::int * interval '1 millisecond'
      WHERE id = ${id}::uuid AND next_step_at IS NOT NULL`;
  }
}

/** A ledger of the version before names a chain's transaction as the reference alone. */
function awaitsTheSandbox({ status, reference, network, crypto_transaction_id: name }: FactTransaction): boolean {
  return status === 'PENDING' && reference !== HELD_DEPOSIT && !cameOverChain(network, name ?? reference);
}
