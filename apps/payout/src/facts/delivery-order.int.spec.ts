import { CallerSecret } from '@stablecoin/command-proofs/caller-secret';
/**
 * However the ledger's facts are delivered, the table of payouts ends up as if each fact had come once and in order.
 */
import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { FactTransaction, LedgerFact, Movement } from '@stablecoin/contracts/wallet/facts';
import { FactConsumers } from '@stablecoin/facts/fact-consumers';
import {
  deliverInDisorder,
  deliverInOrder,
  DISORDER_SEEDS,
  DISORDER_TIMEOUT_MS,
  merged,
} from '@stablecoin/facts/testing/disorder';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { Drawing } from '@stablecoin/testing/drawing';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { Client } from 'pg';
import { DepositConfirmations } from '../payout-process/deposit-confirmations';
import { PayoutWaits } from '../payout-process/payout-waits';
import { PayoutStore } from '../payout-process/payout-store';
import { PayoutTerms } from '../payout-process/payout-terms';
import { ProcessWorker } from '../payout-process/process-worker';
import { PayoutConfiguration } from '../payout.configuration';
import { PayoutDatabase } from '../persistence/payout-database';
import { LedgerFactsConsumer } from './ledger-facts.consumer';

let files: TestDatabase;
let database: PayoutDatabase;
let handler: LedgerFactsConsumer;
let owner: Client;

/** The handler alone: no worker that moves payouts on, no broker. */
beforeAll(async () => {
  // Every fact that is parked here logs an alert.
  jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  files = await createTestDatabase('payout');
  owner = new Client({ connectionString: files.ownerUrl });
  await owner.connect();
  const configuration = Object.assign(new PayoutConfiguration(), {
    databaseUrl: files.url,
    databasePoolSize: 2,
    commandKey: Buffer.alloc(32, 7),
    sandboxConfirmMs: 60_000,
  });
  database = new PayoutDatabase(configuration);
  const unused = { add: () => undefined, wake: () => undefined };
  const terms = new PayoutTerms(configuration, unused as unknown as BusClient);
  handler = new LedgerFactsConsumer(
    database,
    new PayoutStore(database, terms),
    new DepositConfirmations(
      database,
      unused as unknown as BusClient,
      configuration,
      new CallerSecret('payout', Buffer.alloc(32)),
    ),
    new PayoutWaits(database, unused as unknown as BusClient),
    unused as unknown as ProcessWorker,
    unused as unknown as FactConsumers,
  );
});
afterAll(async () => {
  await owner.end();
  await database.$disconnect();
  await files.drop();
});

const LIVES: Movement[][] = [
  ['payout-accepted'],
  ['payout-accepted', 'payout-completed'],
  ['payout-accepted', 'payout-failed'],
  ['payout-accepted', 'payout-completed', 'payout-reversed'],
  ['deposit-recorded'],
];
let shards = 0;

/** The facts that the seed decides on, under new ids. */
function history(seed: number): { facts: LedgerFact[]; shard: number } {
  const draw = new Drawing(seed);
  const shard = (shards += 1);
  const lives = Array.from({ length: 1 + draw.below(4) }, (_, index) => {
    const moved = transaction(`TRANSACT0${index}`);
    const life = LIVES[draw.below(LIVES.length)] as Movement[];
    return life.map((movement) => ({
      movement,
      merchant_id: randomUUID(),
      customer_id: null,
      transactions: [{ ...moved, transaction_type: movement.startsWith('payout') ? 'PAYOUT' : 'DEPOSIT' } as const],
    }));
  });
  let position = 0;
  const facts = merged(lives, draw).map((fact) => ({
    ...fact,
    shard,
    position: (position += 1 + draw.below(5)),
    recorded_at: '2026-11-21T10:00:00.000Z',
  }));
  return { facts, shard };
}

function transaction(transaction_id: string): FactTransaction {
  return {
    id: randomUUID(),
    transaction_id,
    reference_id: randomUUID(),
    transaction_type: 'PAYOUT',
    transaction_mode: 'DEBIT',
    network: null,
    bank_code: '058',
    recipient_currency: 'NGN',
    sealed_destination: 'sealed',
    currency: 'NGN',
    amount: '10.00000000',
    status: 'PENDING',
    wallet_id: randomUUID(),
  };
}

/** Everything but ids and times of day. */
async function books(shard: number): Promise<unknown> {
  const payouts = await owner.query(
    `SELECT transaction_id, customer_id, rail, network, bank_code, currency, amount::text, recipient_currency,
      sealed_destination, state, settled_by_hand, attempts, next_step_at IS NOT NULL AS due
     FROM payouts WHERE shard = $1 ORDER BY transaction_id`,
    [shard],
  );
  const deposits = await owner.query(
    'SELECT count(*)::int AS expected FROM deposit_confirmations WHERE shard = $1 AND next_step_at IS NOT NULL',
    [shard],
  );
  const parked = await owner.query('SELECT position FROM parked_facts WHERE shard = $1', [shard]);
  return { payouts: payouts.rows, deposits: deposits.rows, parked: parked.rows };
}

it(
  `payouts, seeds ${DISORDER_SEEDS[0]} to ${DISORDER_SEEDS.at(-1)}`,
  async () => {
    for (const seed of DISORDER_SEEDS) {
      const [inOrder, inDisorder] = [history(seed), history(seed)];
      await deliverInOrder(handler, inOrder.facts, seed % 5 === 0);
      await deliverInDisorder(handler, inDisorder.facts, new Drawing(seed + 1), (statement) => owner.query(statement));
      expect({ seed, books: await books(inDisorder.shard) }).toEqual({ seed, books: await books(inOrder.shard) });
    }
  },
  DISORDER_TIMEOUT_MS,
);
