/**
 * Logs that are written as the ledger itself would write them: decided by its rules, chained with sound hashes, with head and tables.
 * All that the forger lacks is the key that signs.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { originOf, signCheckpoint } from '@stablecoin/event-proofs/checkpoint';
import { CompactRange } from '@stablecoin/event-proofs/compact-range';
import { leafOfEvent } from '@stablecoin/event-proofs/ledger-leaf';
import { NoteSigner } from '@stablecoin/event-proofs/signed-note';
import type { LedgerCommand } from '@stablecoin/ledger-domain/commands';
import { decide } from '@stablecoin/ledger-domain/decide';
import type { AskedBy, RecordedEvent } from '@stablecoin/ledger-domain/events';
import { LedgerState } from '@stablecoin/ledger-domain/ledger-state';
import { insertCheckpoint } from '@stablecoin/ledger-store/checkpoints/checkpoint-rows';
import { appendEventRows, eventRows, readEventRows, recordedEvent } from '@stablecoin/ledger-store/event-rows';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { projectionChanges, writeProjections } from '@stablecoin/ledger-store/projections/project';
import { type Database, type Login, OWNER } from '../ground/databases';

const EVENTS_MAX = 10_000;

export interface ForgedCommand {
  /** Whose money it moves. */
  walletId: string;
  command: (wallet: ForgedWallet) => LedgerCommand;
  /** Who is said to have asked; left out, the log says nothing of it. */
  askedBy?: AskedBy;
  /** Now, unless given. */
  recordedAt?: Date;
}

interface ForgedWallet {
  shard: number;
  merchant_id: string;
  customer_id: string | null;
  id: string;
}

/** Money that no rail has brought: no service has stated it. */
export const DEPOSITED: Pick<ForgedCommand, 'command'> = {
  command: ({ id: wallet_id, merchant_id }) => ({
    ...{ kind: 'RecordDeposit', merchant_id, wallet_id, id: randomUUID(), reference_id: randomUUID() },
    ...{ amount: '1000000', network: null, reference: null, confirmed: true },
  }),
};

/** A payout that no merchant has asked for. That the gateway asks for one is proved to the ledger alone. */
export const HELD: Pick<ForgedCommand, 'command' | 'askedBy'> = {
  askedBy: { service: 'gateway', mode: 'test' },
  command: ({ merchant_id, customer_id }) => ({
    ...{ kind: 'HoldPayout', merchant_id, customer_id, id: randomUUID(), reference_id: randomUUID() },
    ...{ currency: 'USDT', amount: '5', network: null, sealed_destination: 'v1.forged', exchange_rate: '1500' },
    ...{ bank_name: null, bank_code: null, recipient_currency: 'NGN', recipient_country: null, fee_schedule: null },
    // Where the merchant has a policy, it is judged by them.
    ...{ destination_hash: '0'.repeat(64), created_by: { key_id: randomUUID(), signer_id: randomUUID() } },
  }),
};

/** @returns the position of its first event, and the shard */
export async function appendCommand(
  database: Database,
  login: Login,
  { walletId, command, askedBy: asked_by, recordedAt = new Date() }: ForgedCommand,
): Promise<{ shard: number; position: number }> {
  const ledger = new LedgerDatabase({ url: database.url(login), applicationName: 'forger', poolSize: 1 });
  try {
    const [wallet] = await ledger.$queryRaw<ForgedWallet[]>`
      SELECT shard, merchant_id::text, customer_id::text, id::text FROM wallets WHERE id = ${walletId}::uuid`;
    if (!wallet) throw new Error(`there is no wallet ${walletId}`);
    const { shard } = wallet;
    const rows = await readEventRows(ledger, shard, 0, EVENTS_MAX);
    const state = new LedgerState();
    rows.forEach(({ body }) => state.apply(recordedEvent(body)));
    const recorded_at = recordedAt.toISOString();
    const command_id = randomUUID();
    const groups = decide(command(wallet), state, {
      shard,
      nextPosition: rows.length + 1,
      now: recorded_at,
      deriveAddress: () => String(randomInt(10 ** 9)),
    });
    const events: RecordedEvent[] = [];
    for (const { events: ofGroup, ...about } of groups) {
      const group = rows.length + events.length + 1;
      ofGroup.forEach((event, offset) =>
        events.push({
          ...{ shard, position: group + offset, group, recorded_at, command_id, ...about, event },
          ...(asked_by && events.length === 0 && { asked_by }),
        }),
      );
    }
    events.forEach((event) => state.apply(event));
    const forged = eventRows(events, rows.at(-1)?.hash ?? Buffer.alloc(32));
    await ledger.$transaction(async (sql) => {
      await appendEventRows(sql, forged);
      await writeProjections(sql, shard, projectionChanges(events, state));
      const head = forged.at(-1);
      await sql.$executeRaw`
        UPDATE ledger_shards SET head_position = ${head?.position}, head_hash = ${head?.hash} WHERE shard = ${shard}`;
    });
    return { shard, position: rows.length + 1 };
  } finally {
    await ledger.$disconnect();
  }
}

/** What vouches for a shard's log, in the database: gone, so that only what is kept elsewhere contradicts another log. */
export async function removeSignatures(database: Database, shard: number): Promise<void> {
  const ofShard = ['ledger_checkpoints', 'ledger_checkpoint_keys', 'ledger_tree_nodes'];
  const ofAll = ['ledger_liability_tiles', 'ledger_liabilities'];
  await database.as(OWNER, [
    ...[...ofShard, ...ofAll].map((table) => `ALTER TABLE ${table} DISABLE TRIGGER USER`),
    ...ofShard.map((table) => `DELETE FROM ${table} WHERE shard = ${shard}`),
    ...ofAll.map((table) => `DELETE FROM ${table}`),
    `UPDATE ledger_shards SET head_signature = NULL WHERE shard = ${shard}`,
  ]);
}

/** Signs a shard's log to its end with a key of the forger's own, which the database then names. */
export async function signAnew(database: Database, shard: number, ledgerName: string): Promise<void> {
  const ledger = new LedgerDatabase({ url: database.url(OWNER), applicationName: 'forger', poolSize: 1 });
  try {
    const [held] = await ledger.$queryRaw<{ epoch: bigint }[]>`SELECT epoch FROM ledger_shards WHERE shard = ${shard}`;
    const rows = await readEventRows(ledger, shard, 0, EVENTS_MAX);
    const range = new CompactRange();
    for (const { body, hash } of rows) range.append(leafOfEvent(body, hash));
    const last = rows.at(-1);
    if (!held || !last) throw new Error(`shard ${shard} has no log`);
    const signer = new NoteSigner(originOf(ledgerName, shard), Buffer.alloc(32, 'forged'));
    const note = signCheckpoint({ size: range.size, root: range.root, time: last.recorded_at }, signer);
    const made = { shard, size: range.size, previous_size: null, note, range: range.hashes, head_hash: last.hash };
    const key = { key_id: signer.keyId, verifier_key: signer.verifierKey };
    await insertCheckpoint(ledger, { ...made, ...key, created_at: last.recorded_at }, held.epoch);
  } finally {
    await ledger.$disconnect();
  }
}
