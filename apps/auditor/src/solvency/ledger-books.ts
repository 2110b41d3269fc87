/**
 * What the ledger has booked through networks up to a signed statement of what it owes: the log's postings at the outside
 * accounts, each with its transaction. The statement is believed only where a trusted key has signed it and the checkpoints
 * that it names, and where the tables say the same.
 */
import { Hex } from '@stablecoin/chain-node/chain-node';
import { EVM_NETWORKS, isTransactionHash } from '@stablecoin/chains/chains';
import { TOKEN_CURRENCIES, TokenCurrency } from '@stablecoin/chains/tokens';
import { verifyCheckpoint } from '@stablecoin/event-proofs/checkpoint';
import {
  codeOf,
  LiabilityStatement,
  verifyLiabilities,
} from '@stablecoin/event-proofs/liabilities/liability-statement';
import { owedOf } from '@stablecoin/event-proofs/liabilities/sum-tree';
import { parseTrustedKey, TrustedKey } from '@stablecoin/event-proofs/signed-note';
import { external } from '@stablecoin/ledger-domain/accounts';
import { checkpointOfSize } from '@stablecoin/ledger-store/checkpoints/checkpoint-rows';
import { latestLiabilities, LiabilityRow } from '@stablecoin/ledger-store/liabilities/liability-rows';
import { countedAt, PartOfWallets, readLeaves } from '@stablecoin/ledger-store/liabilities/wallet-liabilities';
import { Currency, Network, NETWORKS } from '@stablecoin/money/currency';

import { inTurn } from '../database/in-turn';
import { Parts, partWith, withTheirShards } from '../database/placed-snapshots';
import { madeAnew } from '../liabilities/made-anew';
import { partsOfWallets } from '../liabilities/parts-of-wallets';
import { AuditFailure, EXIT } from '../report/report';
import { Amount, ofLedger, ofLedgerUnits } from './amounts';
import { LedgerMovement } from './reconcile';
import { testMerchants } from './test-merchants';

/** What versions before booked for all networks: the transaction says which. */
const EVERY_NETWORK = 'chain';

export interface LedgerBooks {
  statement: LiabilityStatement;
  keyId: string;
  /** Merchants whose money is play money: those that the log knows by their keys, and those that the auditor names. */
  leftOut: ReadonlySet<string>;
  /** By code, without what is owed to them. */
  owed: ReadonlyMap<Currency, Amount>;
  /** To them. */
  owedToLeftOut: ReadonlyMap<Currency, Amount>;
  /** By network and currency: see `booksKey`. */
  movements: ReadonlyMap<string, readonly LedgerMovement[]>;
  /** At the outside accounts, for transactions that the ledger doesn't have. */
  bookedOtherwise: ReadonlyMap<string, Amount>;
  /** Every address of an EVM network that the ledger has given out, in lower case, with the wallets that have it. */
  wallets: ReadonlyMap<Hex, readonly string[]>;
}

export const booksKey = (network: Network, currency: Currency): string => `${network}:${currency}`;

/** @param databases one moment of each */
export async function readLedgerBooks(
  databases: Parts,
  { keys, leftOut: named }: { keys: readonly TrustedKey[] | undefined; leftOut: ReadonlySet<string> },
): Promise<LedgerBooks> {
  const [{ snapshot }] = databases;
  const row = await latestLiabilities(snapshot);
  if (!row) throw new AuditFailure('There is no statement of liabilities yet: see LIABILITIES_INTERVAL_MS.');
  const { keyId, ...statement } = await trusted(databases, row, keys);
  const parts = partsOfWallets(withTheirShards(databases), statement);
  const { problem } = await madeAnew(snapshot, row, statement, parts);
  if (problem) throw notBelieved(row, problem);
  const tests = await inTurn(parts, ({ sql, positions }) => testMerchants(sql, positions));
  const leftOut = new Set([...named, ...tests.flatMap((some) => [...some])]);
  const owedToLeftOut = await owedTo(parts, row, statement, leftOut);
  // Of live and test merchants together: who is left out is more than who opened wallets with test keys.
  const owed = new Map<Currency, Amount>();
  for (const { currency, sum } of statement.owed) {
    const known = codeOf(currency) as Currency;
    owed.set(known, (owed.get(known) ?? 0n) + ofLedgerUnits(sum));
  }
  for (const [currency, amount] of owedToLeftOut) owed.set(currency, (owed.get(currency) ?? 0n) - amount);
  const movements = new Map<string, LedgerMovement[]>();
  const bookedOtherwise = new Map<string, Amount>();
  for (const [index, part] of parts.entries())
    await readMovements(part, placesOf(databases, index), { movements, bookedOtherwise });
  const wallets = await walletsByAddress(databases);
  return { statement, keyId, leftOut, owed, owedToLeftOut, movements, bookedOtherwise, wallets };
}

const notBelieved = ({ number }: LiabilityRow, problem: string) =>
  new AuditFailure(`Statement ${number} is not believed: ${problem}. See npm run audit -- verify.`, EXIT.finding);

async function trusted(databases: Parts, row: LiabilityRow, keys: readonly TrustedKey[] | undefined) {
  const believed = (key: string) => keys ?? [parseTrustedKey(key)].flatMap((one) => one ?? []);
  const statement = verifyLiabilities(row.note, believed(row.verifier_key));
  if (typeof statement === 'string') throw notBelieved(row, statement);
  for (const { shard, size, root } of statement.shards) {
    if (size === 0) continue;
    const { snapshot } = partWith(databases, shard) ?? databases[0];
    const found = await checkpointOfSize(snapshot, shard, size);
    if (!found) throw notBelieved(row, `there is no checkpoint of position ${size} of shard ${shard}`);
    const checkpoint = verifyCheckpoint(found.note, believed(found.verifier_key));
    if (typeof checkpoint === 'string') throw notBelieved(row, `checkpoint ${size} of shard ${shard}: ${checkpoint}`);
    if (!checkpoint.root.equals(root))
      throw notBelieved(row, `it names another root of shard ${shard} than checkpoint ${size}`);
  }
  return statement;
}

async function owedTo(
  parts: readonly PartOfWallets[],
  { secret }: LiabilityRow,
  statement: LiabilityStatement,
  merchants: ReadonlySet<string>,
): Promise<Map<Currency, Amount>> {
  const sums = new Map<Currency, Amount>();
  if (merchants.size === 0) return sums;
  const rows = await inTurn(
    parts,
    ({ sql }) => sql.$queryRaw<{ id: string }[]>`
      SELECT id::text FROM wallets WHERE merchant_id = ANY (${[...merchants]}::uuid[])`,
  );
  const wallets = new Set(rows.flat().map(({ id }) => id));
  const widths = new Map(statement.owed.map(({ currency, depth }) => [currency, 2 ** depth]));
  const counted = await countedAt(parts, statement);
  for await (const { currency, liability } of readLeaves(counted, { secret, widths, pending: 'by scan' })) {
    if (liability === undefined || !wallets.has(liability.wallet_id)) continue;
    const known = codeOf(currency) as Currency;
    sums.set(known, (sums.get(known) ?? 0n) + ofLedgerUnits(owedOf(liability)));
  }
  return sums;
}

interface MovementRow {
  id: string;
  transaction_id: string | null;
  merchant_id: string;
  wallet_id: string;
  transaction_type: 'DEPOSIT' | 'PAYOUT';
  status: LedgerMovement['status'];
  network: Network;
  currency: TokenCurrency;
  amount: string;
  crypto_transaction_id: string | null;
  booked: string;
}

/** A ledger may have millions of them. */
const ROWS_AT_ONCE = 5_000;

/** The shards that a database has, where it has rows of others as well; null for all that is there. */
const placesOf = (databases: Parts, index: number): number[] | null =>
  databases.length === 1 ? null : (databases[index]?.every ?? []).map(({ shard }) => shard);

interface Movements {
  movements: Map<string, LedgerMovement[]>;
  bookedOtherwise: Map<string, Amount>;
}

/**
 * Adds those of one database. It reads from a cursor: nothing else with this name is open in the snapshot.
 *
 * @param only of these shards; of all where it is null
 */
async function readMovements(
  { sql: snapshot, positions: shards }: PartOfWallets,
  only: number[] | null,
  { movements, bookedOtherwise }: Movements,
): Promise<void> {
  const places = [...NETWORKS, EVERY_NETWORK] as readonly Network[];
  const accounts = TOKEN_CURRENCIES.flatMap((currency) => places.map((place) => external(place, currency)));
  // A debit of an outside account is money that came in.
  await snapshot.$executeRaw`
    DECLARE outside_movements NO SCROLL CURSOR FOR
    WITH posted AS (
      SELECT event.transaction, split_part(event.account_id, ':', 3) AS currency,
        max(split_part(event.account_id, ':', 2)) AS place,
        sum((said ->> 'amount')::numeric * CASE said ->> 'type' WHEN 'DebitPosted' THEN 1 ELSE -1 END) AS booked
      FROM unnest(${shards.map(({ shard }) => shard)}::int[], ${shards.map(({ size }) => String(size))}::bigint[]) AS at (shard, size)
      JOIN ledger_events AS event ON event.shard = at.shard AND event.position <= at.size
        AND event.account_id = ANY (${accounts}::text[])
      CROSS JOIN LATERAL (SELECT event.body::json -> 'event' AS said) AS parsed
      GROUP BY 1, 2
    ), moved AS (
      SELECT id, transaction_id, merchant_id, wallet_id, transaction_type, status, network, currency, amount, crypto_transaction_id
      FROM transactions
      WHERE network IS NOT NULL AND currency = ANY (${[...TOKEN_CURRENCIES]}::text[])
        AND transaction_type IN ('DEPOSIT', 'PAYOUT') AND (${only}::int[] IS NULL OR shard = ANY (${only}::int[]))
    )
    SELECT coalesce(moved.id, posted.transaction)::text AS id, transaction_id, merchant_id::text, wallet_id::text, transaction_type, status,
      coalesce(moved.network, place) AS network, coalesce(moved.currency, posted.currency) AS currency,
      amount::text, lower(crypto_transaction_id) AS crypto_transaction_id, coalesce(booked, 0)::text AS booked
    FROM moved FULL JOIN posted ON posted.transaction = moved.id AND posted.currency = moved.currency`;
  for (;;) {
    const rows = await snapshot.$queryRaw<MovementRow[]>`FETCH 5000 FROM outside_movements`;
    for (const row of rows) {
      const key = booksKey(row.network, row.currency);
      if (row.transaction_id === null) {
        bookedOtherwise.set(key, (bookedOtherwise.get(key) ?? 0n) + ofLedger(row.booked));
        continue;
      }
      const of = movements.get(key);
      if (of) of.push(movementOf(row));
      else movements.set(key, [movementOf(row)]);
    }
    if (rows.length < ROWS_AT_ONCE) break;
  }
  await snapshot.$executeRaw`CLOSE outside_movements`;
}

const movementOf = (row: MovementRow): LedgerMovement => ({
  id: row.id,
  transactionId: row.transaction_id ?? '',
  merchantId: row.merchant_id,
  walletId: row.wallet_id,
  type: row.transaction_type,
  status: row.status,
  amount: ofLedger(row.amount),
  booked: ofLedger(row.booked),
  transactionHash:
    row.crypto_transaction_id !== null && isTransactionHash(row.crypto_transaction_id)
      ? (row.crypto_transaction_id as Hex)
      : null,
});

/** One address serves a wallet on all of these networks: what was sent to it on another is there as well. */
async function walletsByAddress(databases: Parts): Promise<Map<Hex, readonly string[]>> {
  const found = new Map<Hex, string[]>();
  for (const [index, { snapshot }] of databases.entries()) {
    const only = placesOf(databases, index);
    const rows = await snapshot.$queryRaw<{ address: Hex; wallets: string[] }[]>`
      SELECT lower(address) AS address, array_agg(DISTINCT wallet_id::text) AS wallets FROM deposit_addresses
      WHERE network = ANY (${[...EVM_NETWORKS]}::text[])
        AND (${only}::int[] IS NULL OR wallet_id IN (SELECT id FROM wallets WHERE shard = ANY (${only}::int[])))
      GROUP BY 1 ORDER BY 1`;
    for (const { address, wallets } of rows)
      found.set(address, [...new Set([...(found.get(address) ?? []), ...wallets])]);
  }
  return found;
}

/** What came in, less what went out, through these networks. */
export function bookedThrough(
  { movements, leftOut }: Pick<LedgerBooks, 'movements' | 'leftOut'>,
  networks: readonly Network[],
  currency: TokenCurrency,
): Amount {
  const through = networks.flatMap((network) => movements.get(booksKey(network, currency)) ?? []);
  return through.reduce((sum, { booked, merchantId }) => (leftOut.has(merchantId) ? sum : sum + booked), 0n);
}
