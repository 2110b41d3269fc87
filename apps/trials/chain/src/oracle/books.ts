/** What the services' own databases say, read behind their backs. */
import { lookUpTransfer } from '@stablecoin/contracts/chain/look-up-transfer';
import { payoutReference } from '@stablecoin/contracts/payout/rail-references';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import type { BusClient } from '@stablecoin/messaging/bus-client';
import { eventually } from '@stablecoin/testing/eventually';
import type { Databases } from '../ground/databases';
import type { BookedDeposit } from './deposits';
import type { BookedPayout, HeldPayout, PayoutOrder, PayoutOutcome } from './payouts';

const TIMEOUT_MS = 30_000;

export function readDeposits(databases: Databases, merchants: readonly string[]): Promise<BookedDeposit[]> {
  return databases.read<BookedDeposit>(
    'ledger',
    `SELECT wallet_id::text, crypto_transaction_id, amount::text, status FROM transactions
     WHERE merchant_id = ANY ($1) AND transaction_type = 'DEPOSIT'`,
    [merchants],
  );
}

/** By wallet id. */
export async function readBalances(
  databases: Databases,
  wallets: readonly { id: string }[],
): Promise<Map<string, string>> {
  const balances = await databases.read<{ wallet_id: string; balance: string }>(
    'ledger',
    `SELECT account_id AS wallet_id, balance::text FROM account_balances WHERE account_id = ANY ($1)`,
    [wallets.map(({ id }) => id)],
  );
  return new Map(balances.map(({ wallet_id, balance }) => [wallet_id, balance]));
}

export function readPayouts(databases: Databases, held: readonly HeldPayout[]): Promise<BookedPayout[]> {
  return databases.read<BookedPayout>(
    'ledger',
    `SELECT id::text, amount::text, status, crypto_transaction_id FROM transactions WHERE id = ANY ($1)`,
    [held.map(({ id }) => id)],
  );
}

/** What ledger, payout service and chain service say of each. The chain service is asked as the payout service asks it. */
export async function readOutcomes(
  databases: Databases,
  bus: BusClient,
  held: readonly HeldPayout[],
): Promise<PayoutOutcome[]> {
  const booked = await readPayouts(databases, held);
  const processes = await databases.read<{ id: string; state: string }>(
    'payout',
    'SELECT id::text, state FROM payouts WHERE id = ANY ($1)',
    [held.map(({ id }) => id)],
  );
  return Promise.all(
    held.map(async ({ id }) => ({
      id,
      booked: booked.find((each) => each.id === id),
      process: processes.find((each) => each.id === id)?.state,
      order: await orderOf(bus, payoutReference(id)),
    })),
  );
}

async function orderOf(bus: BusClient, reference: string): Promise<PayoutOrder | undefined> {
  const { order } = await eventually(
    `the order ${reference} is looked up`,
    async () => {
      try {
        return { order: await bus.call(lookUpTransfer, { reference }) };
      } catch (error) {
        if (error instanceof Refusal && error.code === 'not_found') return { order: undefined };
        throw error;
      }
    },
    { timeoutMs: TIMEOUT_MS },
  );
  return order;
}

/** What waits for an operator in the chain service, as transaction and units. */
export async function readUnrecognised(databases: Databases, merchants: readonly string[]): Promise<string[]> {
  const rows = await databases.read<{ transfer: string }>(
    'chain',
    `SELECT '0x' || encode(transaction_hash, 'hex') || ' ' || units::text AS transfer FROM deposits
     WHERE merchant_id = ANY ($1) AND booked = 'unrecognised' AND standing = 'final'`,
    [merchants],
  );
  return rows.map(({ transfer }) => transfer);
}
