/**
 * The process of the floor's payouts: what the ledger holds is stored with its intent, handed to a rail that takes all of
 * it, and settled, as many at a time as have come. And the sandbox's deposits, which go on to the ledger.
 */
import { randomUUID } from 'node:crypto';
import { Batches } from './batches';
import type { Fact } from './bus';
import { committed } from './copied-rows';
import type { LedgerCommand, LedgerReply } from './ledger';
import { quoted, serves, startFloorProcess, valuesOf } from './process';

const SCHEMA = `
  CREATE TABLE payouts (
    id uuid PRIMARY KEY, transaction_id text NOT NULL, merchant_id uuid NOT NULL, network text, currency text NOT NULL,
    amount numeric(38, 8) NOT NULL, destination text, provider_reference text NOT NULL UNIQUE, state text NOT NULL,
    attempts int NOT NULL DEFAULT 0, next_step_at timestamptz, created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX ON payouts (transaction_id);
  CREATE INDEX ON payouts (next_step_at) WHERE next_step_at IS NOT NULL;
  CREATE TABLE sandbox_rail (
    reference text PRIMARY KEY, outcome text NOT NULL, rail_reference text NOT NULL, created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE inbox (
    consumer text, position bigint, created_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (consumer, position)
  );`;
const CONSUMER = 'payout';

async function main(): Promise<void> {
  const { bus, writes } = await startFloorProcess(SCHEMA);

  /** Commits the intent, then what became of it; the ledger is asked once for all of them in between. */
  const pay = async (facts: readonly Fact[]) => {
    const held = facts.filter(({ kind }) => kind === 'payout-held').flatMap(({ transactions }) => transactions);
    const inbox = facts
      .filter(({ kind }) => kind.startsWith('payout-'))
      .map(({ position }) => [CONSUMER, position] as const);
    const of = (payout: Record<string, unknown>, name: string) => String(payout[name]);
    const rows = held.map((payout) => [
      ...[of(payout, 'id'), of(payout, 'transaction_id'), of(payout, 'merchant_id'), of(payout, 'network')],
      ...[of(payout, 'asset_code'), of(payout, 'amount'), of(payout, 'destination'), of(payout, 'reference_id')],
      ...['sending', new Date().toISOString()],
    ]);
    const into = `payouts (id, transaction_id, merchant_id, network, currency, amount, destination, provider_reference,
      state, next_step_at)`;
    await committed(
      writes,
      [
        { into: 'inbox (consumer, position)', rows: inbox },
        { into, rows },
        {
          into: 'sandbox_rail (reference, outcome, rail_reference)',
          rows: held.map((payout) => [of(payout, 'reference_id'), 'settled', `rail-${of(payout, 'reference_id')}`]),
        },
      ],
      [],
    );
    if (held.length === 0) return;
    const settlements = held.map((payout): LedgerCommand => {
      const id = of(payout, 'id');
      return { kind: 'settle', id, command_id: randomUUID(), input_hash: id };
    });
    await bus.command<LedgerReply[]>('floor.ledger.do-all', settlements);
    const settled = valuesOf(held.map((payout) => [`${quoted(of(payout, 'id'))}::uuid`]));
    await writes.query(
      `UPDATE payouts SET state = 'settled', next_step_at = NULL, attempts = attempts + 1, updated_at = now()
       FROM (VALUES ${settled}) AS settled (id) WHERE payouts.id = settled.id`,
    );
  };

  const deposits = new Batches<LedgerCommand, LedgerReply>((commands) => bus.command('floor.ledger.do-all', commands));
  bus.answer('floor.payout.deposit', (command: LedgerCommand) => deposits.do(command));
  await bus.consume(CONSUMER, pay);
  serves();
}

void main();
