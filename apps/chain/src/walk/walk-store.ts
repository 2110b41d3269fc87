/**
 * What is stored of a walk. The tip, the blocks that may still be replaced and the deposits change together: one commit,
 * and only by the instance that holds the network's lease.
 */
import { Injectable } from '@nestjs/common';
import { Block, Hex } from '@stablecoin/chain-node/chain-node';
import { CHAINS, EvmNetwork } from '@stablecoin/chains/chains';
import { arrayColumn, columnsOf } from '@stablecoin/persistence/columns';
import { TRANSACTION_LIMITS } from '@stablecoin/persistence/postgres';
import { Sql } from '@stablecoin/persistence/sql';
import { commandNameOf, Deposit, nextStep } from '../deposits/deposit';
import { DEPOSIT_COLUMNS, depositOf, DepositRow } from '../deposits/deposit-rows';
import { byteaText } from '../persistence/bytes';
import { ChainDatabase } from '../persistence/chain-database';
import { Prisma } from '../persistence/generated/client';
import { NetworkLease } from '../persistence/network-lease';
import { DepositChanges, WalkedChange } from './decide-deposits';
import { TAIL_MAX } from './limits';

/** Longer than a pass takes, also while nodes time out, so that it ends only after a crash. */
const LEASE_MS = 30_000;
/** Final blocks that stay with the tail: how far back a broken finality is recognised by itself. */
const FINAL_BLOCKS_KEPT = 64;

export interface Walk {
  startNumber: number;
  finalNumber: number;
  /** Up to here final blocks were looked at a second time. */
  checkedNumber: number;
  /** Whether the network's nodes have ever said what is final. */
  knowsFinality: boolean;
  rescanFrom: number | null;
  /** The last blocks, ascending; at least one, and TAIL_MAX at the most. */
  tail: readonly Block[];
}

/** What a pass has found. */
interface WalkStep {
  network: EvmNetwork;
  /** The walk as the pass found it; undefined for the first one. */
  from: Walk | undefined;
  /** Blocks of the tail above this one were replaced. */
  ancestor: Block;
  blocks: readonly Block[];
  headNumber: number;
  finalNumber: number;
  knowsFinality: boolean;
  changes: DepositChanges;
}

interface BlockRow {
  number: bigint;
  hash: Hex;
  parent_hash: Hex;
  timestamp: bigint;
}

interface WalkRow {
  start_number: bigint;
  final_number: bigint;
  checked_number: bigint;
  knows_finality: boolean;
  rescan_from: bigint | null;
}

const BLOCK_COLUMNS = Prisma.sql`
  number, '0x' || encode(hash, 'hex') AS hash, '0x' || encode(parent_hash, 'hex') AS parent_hash, timestamp`;

const blockOf = ({ number, hash, parent_hash, timestamp }: BlockRow): Block => ({
  ...{ number: Number(number), timestamp: Number(timestamp) },
  ...{ hash, parentHash: parent_hash },
});

/** Another instance walks the network now. Nothing was stored. */
export class LeaseLost extends Error {}

@Injectable()
export class WalkStore {
  readonly lease: NetworkLease;

  constructor(private readonly database: ChainDatabase) {
    this.lease = new NetworkLease(database, 'walk_leases', LEASE_MS);
  }

  async load(network: EvmNetwork): Promise<Walk | undefined> {
    const [walk] = await this.database.$queryRaw<WalkRow[]>`
      SELECT start_number, final_number, checked_number, knows_finality, rescan_from FROM walks WHERE network = ${network}`;
    if (!walk) return undefined;
    const newest = await this.database.$queryRaw<BlockRow[]>`
      SELECT ${BLOCK_COLUMNS} FROM walked_blocks WHERE network = ${network} ORDER BY number DESC LIMIT ${TAIL_MAX}::int`;
    return {
      startNumber: Number(walk.start_number),
      finalNumber: Number(walk.final_number),
      checkedNumber: Number(walk.checked_number),
      knowsFinality: walk.knows_finality,
      rescanFrom: walk.rescan_from === null ? null : Number(walk.rescan_from),
      tail: newest.reverse().map(blockOf),
    };
  }

  /** Whether the network's nodes have ever said what is final. */
  async knowsFinality(network: EvmNetwork): Promise<boolean> {
    const [walk] = await this.database.$queryRaw<{ knows_finality: boolean }[]>`
      SELECT knows_finality FROM walks WHERE network = ${network}`;
    return walk?.knows_finality ?? false;
  }

  /** Blocks that were walked and are kept, ascending. */
  async walkedBlocks(network: EvmNetwork, from: number, to: number): Promise<Block[]> {
    const rows = await this.database.$queryRaw<BlockRow[]>`
      SELECT ${BLOCK_COLUMNS} FROM walked_blocks
      WHERE network = ${network} AND number BETWEEN ${from}::bigint AND ${to}::bigint ORDER BY number`;
    return rows.map(blockOf);
  }

  async walkedBlock(network: EvmNetwork, number: number): Promise<Block | undefined> {
    const [block] = await this.walkedBlocks(network, number, number);
    return block;
  }

  /** The deposits that a change may concern: the `known` ones of decideDeposits. */
  async concernedBy(network: EvmNetwork, change: Omit<WalkedChange, 'network'>): Promise<Deposit[]> {
    const hashes = arrayColumn([...change.replaced].map(byteaText));
    const transactions = new Set(change.sightings.map(({ transfer }) => byteaText(transfer.transactionHash)));
    const { finalized, agreed } = change.heights ?? { finalized: -1, agreed: -1 };
    const rows = await this.database.$queryRaw<DepositRow[]>`
      SELECT ${DEPOSIT_COLUMNS} FROM deposits WHERE network = ${network} AND block_hash = ANY (${hashes}::bytea[])
      UNION
      SELECT ${DEPOSIT_COLUMNS} FROM deposits
      WHERE network = ${network} AND transaction_hash = ANY (${arrayColumn([...transactions])}::bytea[])
      UNION
      SELECT ${DEPOSIT_COLUMNS} FROM deposits
      WHERE network = ${network} AND standing IN ('included', 'orphaned') AND block_number <= ${agreed}::bigint
        AND block_number <= coalesce(${agreed}::bigint - confirmations_required + 1, ${finalized}::bigint)`;
    return rows.map(depositOf);
  }

  /** The hashes under which deposits stand in a range of blocks. */
  async blocksOfDeposits(network: EvmNetwork, from: number, to?: number): Promise<{ number: number; hash: Hex }[]> {
    const rows = await this.database.$queryRaw<{ block_number: bigint; hash: Hex }[]>`
      SELECT DISTINCT block_number, '0x' || encode(block_hash, 'hex') AS hash FROM deposits
      WHERE network = ${network} AND standing IN ('included', 'final')
        AND block_number >= ${from}::bigint AND (block_number <= ${to ?? null}::bigint OR ${to ?? null}::bigint IS NULL)`;
    return rows.map(({ block_number, hash }) => ({ number: Number(block_number), hash }));
  }

  /** @throws LeaseLost */
  async advance(step: WalkStep): Promise<void> {
    await this.commit(step.network, async (sql) => {
      await this.moveTip(sql, step);
      await storeDeposits(sql, step.changes);
    });
  }

  /** Begins anew at a block that does not connect to those that were walked. @throws LeaseLost */
  async restart(step: WalkStep): Promise<void> {
    await this.commit(step.network, async (sql) => {
      await sql.$executeRaw`DELETE FROM walked_blocks WHERE network = ${step.network}`;
      await sql.$executeRaw`
        UPDATE walks SET rescan_from = NULL, start_number = least(start_number, ${step.ancestor.number}::bigint),
          checked_number = ${step.ancestor.number}::bigint
        WHERE network = ${step.network}`;
      await this.moveTip(sql, { ...step, from: undefined });
      await storeDeposits(sql, step.changes);
    });
  }

  /** Deposits that were found by looking again at blocks that were walked before. @throws LeaseLost */
  async addFound(
    network: EvmNetwork,
    changes: DepositChanges,
    looked: { addresses?: readonly Hex[]; rescanFrom?: number | null; rescannedFrom?: number; checkedNumber?: number },
  ): Promise<void> {
    await this.commit(network, async (sql) => {
      await storeDeposits(sql, changes);
      if (looked.addresses)
        await sql.$executeRaw`
          UPDATE deposit_addresses SET unchecked = false
          WHERE network = ${network} AND address = ANY (${arrayColumn(looked.addresses.map(byteaText))}::bytea[])`;
      if (looked.checkedNumber !== undefined)
        await sql.$executeRaw`
          UPDATE walks SET checked_number = ${looked.checkedNumber}::bigint WHERE network = ${network}`;
      // Not where an operator has asked for another rescan meanwhile.
      if (looked.rescanFrom !== undefined)
        await sql.$executeRaw`
          UPDATE walks SET rescan_from = ${looked.rescanFrom}::bigint
          WHERE network = ${network} AND rescan_from = ${looked.rescannedFrom}::bigint`;
    });
  }

  /** Of the newest walked block; undefined where the network was never walked. */
  async tipNumber(network: EvmNetwork): Promise<number | undefined> {
    const [walk] = await this.database.$queryRaw<{ tip_number: bigint }[]>`
      SELECT tip_number FROM walks WHERE network = ${network}`;
    return walk && Number(walk.tip_number);
  }

  /** False where the network was never walked. */
  async askForRescan(network: EvmNetwork, from: number): Promise<boolean> {
    const asked = await this.database.$executeRaw`
      UPDATE walks SET rescan_from = least(rescan_from, ${from}::bigint) WHERE network = ${network}`;
    return asked > 0;
  }

  private async commit(network: EvmNetwork, write: (sql: Sql) => Promise<void>): Promise<void> {
    await this.database.sql.$transaction(async (sql) => {
      if (!(await this.lease.keep(sql, network))) throw new LeaseLost();
      await write(sql);
    }, TRANSACTION_LIMITS);
  }

  private async moveTip(sql: Sql, step: WalkStep): Promise<void> {
    const { network, from, ancestor, blocks, headNumber, finalNumber, knowsFinality } = step;
    const tip = blocks.at(-1) ?? ancestor;
    await sql.$executeRaw`
      INSERT INTO walks (network, chain_id, start_number, tip_number, tip_hash, tip_timestamp, head_number, final_number,
        checked_number, knows_finality)
      VALUES (${network}, ${CHAINS[network].chainId}::bigint, ${ancestor.number}::bigint, ${tip.number}::bigint,
        ${byteaText(tip.hash)}::bytea, ${tip.timestamp}::bigint, ${headNumber}::bigint, ${finalNumber}::bigint,
        ${ancestor.number}::bigint, ${knowsFinality}::boolean)
      ON CONFLICT (network) DO UPDATE SET tip_number = excluded.tip_number, tip_hash = excluded.tip_hash,
        tip_timestamp = excluded.tip_timestamp, head_number = excluded.head_number,
        final_number = excluded.final_number, knows_finality = excluded.knows_finality, walked_at = now(),
        checked_number = least(walks.checked_number, excluded.checked_number)`;
    await sql.$executeRaw`
      DELETE FROM walked_blocks USING walks WHERE walked_blocks.network = ${network} AND walks.network = ${network}
        AND (number > ${ancestor.number}::bigint
          OR number < least(${finalNumber}::bigint, checked_number) - ${FINAL_BLOCKS_KEPT}::int)`;
    const added = (from ? blocks : [ancestor, ...blocks]).map(({ number, hash, parentHash, timestamp }) => ({
      ...{ number, timestamp },
      ...{ hash: byteaText(hash), parent: byteaText(parentHash) },
    }));
    if (added.length === 0) return;
    const column = columnsOf(added);
    await sql.$executeRaw`
      INSERT INTO walked_blocks (network, number, hash, parent_hash, timestamp)
      SELECT ${network}, block.* FROM unnest(${column('number')}::bigint[], ${column('hash')}::bytea[],
        ${column('parent')}::bytea[], ${column('timestamp')}::bigint[]) AS block
      ON CONFLICT (network, number) DO UPDATE SET hash = excluded.hash, parent_hash = excluded.parent_hash,
        timestamp = excluded.timestamp`;
  }
}

async function storeDeposits(sql: Sql, { opened, moved }: DepositChanges): Promise<void> {
  await insertDeposits(sql, opened);
  await moveDeposits(sql, moved);
}

async function insertDeposits(sql: Sql, opened: readonly Deposit[]): Promise<void> {
  if (opened.length === 0) return;
  const column = columnsOf(
    opened.map((deposit) => ({
      ...deposit,
      transactionHash: byteaText(deposit.transactionHash),
      token: byteaText(deposit.token),
      from: byteaText(deposit.from),
      to: byteaText(deposit.to),
      blockHash: byteaText(deposit.blockHash),
      units: deposit.units.toString(),
      restUnits: deposit.restUnits.toString(),
      commandName: commandNameOf(CHAINS[deposit.network].chainId, deposit, deposit.round),
      isDue: nextStep(deposit) === undefined ? 0 : 1,
    })),
  );
  await sql.$executeRaw`
    INSERT INTO deposits (id, network, transaction_hash, token, ordinal, round, from_address, to_address, currency, units,
      amount, rest_units, block_number, block_hash, confirmations_required, standing, booked, unrecognised_reason,
      wallet_id, merchant_id, shard, command_name, next_step_at)
    SELECT id, network, transaction_hash, token, ordinal, round, from_address, to_address, currency, units,
      amount, rest_units, block_number, block_hash, confirmations_required, standing, booked, unrecognised_reason,
      wallet_id, merchant_id, shard, command_name, CASE is_due WHEN 1 THEN clock_timestamp() END
    FROM unnest(${column('id')}::uuid[], ${column('network')}::text[], ${column('transactionHash')}::bytea[],
      ${column('token')}::bytea[], ${column('ordinal')}::int[], ${column('round')}::int[], ${column('from')}::bytea[],
      ${column('to')}::bytea[], ${column('currency')}::text[], ${column('units')}::numeric[], ${column('amount')}::text[],
      ${column('restUnits')}::numeric[], ${column('blockNumber')}::bigint[], ${column('blockHash')}::bytea[],
      ${column('confirmationsRequired')}::int[], ${column('standing')}::text[], ${column('booked')}::text[],
      ${column('unrecognisedReason')}::text[], ${column('walletId')}::uuid[], ${column('merchantId')}::uuid[],
      ${column('shard')}::int[], ${column('commandName')}::text[], ${column('isDue')}::int[]
    ) AS opened (id, network, transaction_hash, token, ordinal, round, from_address, to_address, currency, units,
      amount, rest_units, block_number, block_hash, confirmations_required, standing, booked, unrecognised_reason,
      wallet_id, merchant_id, shard, command_name, is_due)`;
}

/**
 * A step that is under way keeps its lease, and a retry its pause: the row is due when that ends. The version tells the
 * step that there may be more to do.
 */
async function moveDeposits(sql: Sql, moved: readonly Deposit[]): Promise<void> {
  if (moved.length === 0) return;
  const column = columnsOf(moved.map((deposit) => ({ ...deposit, blockHash: byteaText(deposit.blockHash) })));
  await sql.$executeRaw`
    UPDATE deposits SET standing = moved.standing, block_number = moved.block_number, block_hash = moved.block_hash,
      version = deposits.version + 1, updated_at = clock_timestamp(),
      next_step_at = greatest(deposits.next_step_at, clock_timestamp())
    FROM unnest(${column('id')}::uuid[], ${column('standing')}::text[], ${column('blockNumber')}::bigint[],
      ${column('blockHash')}::bytea[]) AS moved (id, standing, block_number, block_hash)
    WHERE deposits.id = moved.id`;
}
