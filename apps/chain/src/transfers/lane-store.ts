/**
 * What a lane's pass reads and stores. Everything that follows from a pass is stored under the lane's lease, whose row is
 * locked in the same transaction: of two instances one gives nonces, also while the other one is slow to notice.
 */
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Hex, Receipt } from '@stablecoin/chain-node/chain-node';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { TransferFailure, TransferHold } from '@stablecoin/contracts/chain/views';
import { arrayColumn, columnsOf } from '@stablecoin/persistence/columns';
import { byteaText } from '../persistence/bytes';
import { ChainDatabase } from '../persistence/chain-database';
import { Prisma } from '../persistence/generated/client';
import { AttemptTerms, SignedAttempt, TransferAttempt } from './attempt';
import { Lane, OutgoingTransfer } from './transfer';
import { TRANSFER_COLUMNS, transferOf, TransferRow } from './transfer-rows';

/** Longer than a pass takes, also while nodes time out, so that it ends only after a crash. */
const LEASE_MS = 30_000;

/** A transfer that has a nonce and no end, with everything that was or may have been signed for it. */
export interface OpenTransfer {
  transfer: OutgoingTransfer;
  attempts: readonly TransferAttempt[];
}

/** Where an attempt is. */
interface FoundAttempt {
  attempt: SignedAttempt;
  receipt: Receipt;
}

export interface TransferPlace {
  transfer: OutgoingTransfer;
  /** Null where the block that it was in was replaced. */
  found: FoundAttempt | null;
}

export interface TransferEnd extends FoundAttempt {
  transfer: OutgoingTransfer;
  failure: TransferFailure | null;
  /** It stays as it is, for a person. */
  heldBy: 'transfer_missing' | null;
}

/** What is kept with a lane's lease. */
export interface HeldLane {
  firstNonce: number | null;
  isResumed: boolean;
}

interface AttemptRow {
  transfer_id: string;
  number: number;
  cancels: boolean;
  gas: bigint;
  max_fee_per_gas: string;
  max_priority_fee_per_gas: string;
  raw: Hex | null;
  hash: Hex | null;
  refused: string | null;
  created_at: Date;
  broadcast_at: Date | null;
}

const PROLONGED = Prisma.sql`expires_at = clock_timestamp() + ${LEASE_MS}::int * interval '1 millisecond'`;
/** A refused attempt makes room for the next try's terms: nothing was ever signed with its own. */
const INSTEAD_OF_REFUSED_TERMS = Prisma.sql`
  ON CONFLICT (transfer_id, number) DO UPDATE SET cancels = excluded.cancels, gas = excluded.gas, refused = NULL,
    max_fee_per_gas = excluded.max_fee_per_gas, max_priority_fee_per_gas = excluded.max_priority_fee_per_gas,
    created_at = clock_timestamp()
  WHERE transfer_attempts.refused IS NOT NULL`;

/** Another instance has the lane now. Nothing was stored. */
export class LaneLost extends Error {}

@Injectable()
export class LaneStore {
  private readonly holder = randomUUID();

  constructor(private readonly database: ChainDatabase) {}

  /** The addresses of a network from which something is to be sent, or was and is not final; the oldest order first. */
  async lanes(network: EvmNetwork): Promise<Lane[]> {
    const rows = await this.database.$queryRaw<{ from_address: Hex }[]>`
      SELECT '0x' || encode(from_address, 'hex') AS from_address FROM outgoing_transfers
      WHERE network = ${network} AND state IN ('waiting', 'sent') AND held_by IS DISTINCT FROM 'transfer_missing'
        AND (nonce IS NOT NULL OR retry_at IS NULL OR retry_at <= clock_timestamp())
      GROUP BY from_address ORDER BY min(created_at)`;
    return rows.map(({ from_address }) => ({ network, fromAddress: from_address }));
  }

  /** Takes or prolongs the lane's lease. Undefined while another instance has it. */
  async hold({ network, fromAddress }: Lane): Promise<HeldLane | undefined> {
    const [held] = await this.database.$queryRaw<{ first_nonce: bigint | null; is_resumed: boolean }[]>`
      INSERT INTO sender_leases (network, from_address, holder, expires_at)
      VALUES (${network}, ${byteaText(fromAddress)}::bytea, ${this.holder}::uuid,
        clock_timestamp() + ${LEASE_MS}::int * interval '1 millisecond')
      ON CONFLICT (network, from_address) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
      WHERE sender_leases.holder = excluded.holder OR sender_leases.expires_at < clock_timestamp()
      RETURNING first_nonce, resumed_by IS NOT NULL AS is_resumed`;
    return (
      held && {
        firstNonce: held.first_nonce === null ? null : Number(held.first_nonce),
        isResumed: held.is_resumed,
      }
    );
  }

  async release(network: EvmNetwork): Promise<void> {
    await this.database.$executeRaw`
      UPDATE sender_leases SET expires_at = clock_timestamp() WHERE network = ${network} AND holder = ${this.holder}::uuid`;
  }

  /** By nonce, ascending. */
  async open({ network, fromAddress }: Lane): Promise<OpenTransfer[]> {
    const rows = await this.database.$queryRaw<TransferRow[]>`
      SELECT ${TRANSFER_COLUMNS} FROM outgoing_transfers
      WHERE network = ${network} AND from_address = ${byteaText(fromAddress)}::bytea AND state IN ('waiting', 'sent')
        AND nonce IS NOT NULL AND held_by IS DISTINCT FROM 'transfer_missing'
      ORDER BY outgoing_transfers.nonce`;
    const attempts = await this.database.$queryRaw<AttemptRow[]>`
      SELECT transfer_id::text, number, cancels, gas, max_fee_per_gas::text, max_priority_fee_per_gas::text,
        '0x' || encode(raw, 'hex') AS raw, '0x' || encode(hash, 'hex') AS hash, refused, created_at, broadcast_at
      FROM transfer_attempts WHERE transfer_id = ANY (${arrayColumn(rows.map(({ id }) => id))}::uuid[]) ORDER BY number`;
    return rows.map((row) => ({
      transfer: transferOf(row),
      attempts: attempts.filter(({ transfer_id }) => transfer_id === row.id).map(attemptOf),
    }));
  }

  async lastNonce({ network, fromAddress }: Lane): Promise<number | null> {
    const [row] = await this.database.$queryRaw<{ last: bigint | null }[]>`
      SELECT max(nonce) AS last FROM outgoing_transfers
      WHERE network = ${network} AND from_address = ${byteaText(fromAddress)}::bytea`;
    return typeof row?.last === 'bigint' ? Number(row.last) : null;
  }

  /** Those that may be tried now: what was never tried, then what was held the longest ago, so that each has its turn. */
  async waiting({ network, fromAddress }: Lane, limit: number): Promise<OutgoingTransfer[]> {
    const rows = await this.database.$queryRaw<TransferRow[]>`
      SELECT ${TRANSFER_COLUMNS} FROM outgoing_transfers
      WHERE network = ${network} AND from_address = ${byteaText(fromAddress)}::bytea AND state = 'waiting'
        AND nonce IS NULL AND (retry_at IS NULL OR retry_at <= clock_timestamp())
      ORDER BY retry_at NULLS FIRST, created_at, id LIMIT ${limit}::int`;
    return rows.map(transferOf);
  }

  /**
   * Gives it a nonce and the terms that it is going to be signed with. A statement of its own: the first nonce stands in the
   * row of the lease, which one statement writes once.
   *
   * @returns false where it was cancelled meanwhile: nothing was stored
   * @throws LaneLost
   */
  async take(lane: Lane, { id }: OutgoingTransfer, nonce: number, terms: AttemptTerms): Promise<boolean> {
    const { number } = terms;
    const [outcome] = await this.database.$queryRaw<{ held: boolean; taken: boolean; has_other_terms: boolean }[]>`
      WITH lease AS (
        SELECT network, from_address FROM sender_leases WHERE ${this.isHeld(lane)} FOR UPDATE
      ), other AS (
        SELECT FROM transfer_attempts WHERE transfer_id = ${id}::uuid AND number = ${number}::int AND refused IS NULL
      ), taken AS (
        UPDATE outgoing_transfers SET nonce = ${nonce}::bigint, held_by = 'signer', retry_at = NULL,
          updated_at = clock_timestamp()
        FROM lease WHERE id = ${id}::uuid AND state = 'waiting' AND nonce IS NULL AND NOT EXISTS (SELECT FROM other)
        RETURNING id
      ), terms AS (
        ${insertTerms(id, terms)} FROM taken ${INSTEAD_OF_REFUSED_TERMS}
      ), prolonged AS (
        UPDATE sender_leases SET ${PROLONGED},
          first_nonce = CASE WHEN EXISTS (SELECT FROM taken) THEN coalesce(first_nonce, ${nonce}::bigint) ELSE first_nonce END
        FROM lease WHERE sender_leases.network = lease.network AND sender_leases.from_address = lease.from_address
      )
      SELECT EXISTS (SELECT FROM lease) AS held, EXISTS (SELECT FROM taken) AS taken,
        EXISTS (SELECT FROM other) AS has_other_terms`;
    if (outcome?.held !== true) throw new LaneLost();
    if (outcome.has_other_terms) throw otherTerms(id, number);
    return outcome.taken;
  }

  /** Terms of another transaction under the nonce that the transfer has. @throws LaneLost */
  async addAttempt(lane: Lane, { id }: OutgoingTransfer, terms: AttemptTerms): Promise<void> {
    const isStored = await this.commit(
      lane,
      Prisma.sql`done AS (${insertTerms(id, terms)} FROM lease ${INSTEAD_OF_REFUSED_TERMS} RETURNING 1)`,
    );
    if (!isStored) throw otherTerms(id, terms.number);
  }

  /** The bytes, before any node has them. @throws LaneLost */
  async storeSigned(
    lane: Lane,
    { id }: OutgoingTransfer,
    { number, cancels }: AttemptTerms,
    { raw, hash }: { raw: Hex; hash: Hex },
  ): Promise<void> {
    await this.commit(
      lane,
      Prisma.sql`
        bytes AS (
          UPDATE transfer_attempts SET raw = ${byteaText(raw)}::bytea, hash = ${byteaText(hash)}::bytea FROM lease
          WHERE transfer_id = ${id}::uuid AND number = ${number}::int AND raw IS NULL
          RETURNING 1
        ), done AS (
          UPDATE outgoing_transfers SET state = 'sent', held_by = NULL, retry_at = NULL, updated_at = clock_timestamp(),
            sent_at = coalesce(sent_at, clock_timestamp()),
            transaction_hash = CASE WHEN ${cancels}::boolean THEN transaction_hash ELSE ${byteaText(hash)}::bytea END
          FROM bytes WHERE id = ${id}::uuid AND state IN ('waiting', 'sent') RETURNING 1
        )`,
    );
  }

  /**
   * The signer refused the first transaction of a transfer: nothing was signed under its nonce, which the next one gets.
   *
   * @param outcome until when it waits for another try, or why it fails
   * @throws LaneLost
   */
  async giveBack(
    lane: Lane,
    { id }: OutgoingTransfer,
    { number }: AttemptTerms,
    refused: string,
    outcome: { hold: TransferHold; retryMs: number } | { failure: TransferFailure },
  ): Promise<void> {
    const failure = 'failure' in outcome ? outcome.failure : null;
    const { hold, retryMs } = 'hold' in outcome ? outcome : { hold: null, retryMs: 0 };
    await this.commit(
      lane,
      Prisma.sql`
        ${refusedTerms(id, number, refused)}, done AS (
          UPDATE outgoing_transfers SET nonce = NULL, updated_at = clock_timestamp(),
            state = CASE WHEN ended.failure IS NULL THEN 'waiting' ELSE 'failed' END, failure = ended.failure,
            held_by = CASE WHEN ended.failure IS NULL THEN ${hold}::text END,
            retry_at = CASE WHEN ended.failure IS NULL THEN clock_timestamp() + ${retryMs}::int * interval '1 millisecond' END
          FROM lease, (
            SELECT coalesce(${failure}::text, CASE WHEN cancelled_by IS NOT NULL THEN 'cancelled' END) AS failure
            FROM outgoing_transfers WHERE id = ${id}::uuid
          ) AS ended
          WHERE id = ${id}::uuid AND state = 'waiting' RETURNING 1
        )`,
    );
  }

  /** The signer refused a replacement or a cancellation: what was signed before stands. @throws LaneLost */
  async refuseAttempt(
    lane: Lane,
    { id }: OutgoingTransfer,
    { number }: AttemptTerms,
    refused: string,
    { hold, retryMs }: { hold: TransferHold; retryMs: number },
  ): Promise<void> {
    await this.commit(
      lane,
      Prisma.sql`
        ${refusedTerms(id, number, refused)}, done AS (
          UPDATE outgoing_transfers SET held_by = ${hold}, updated_at = clock_timestamp(),
            retry_at = clock_timestamp() + ${retryMs}::int * interval '1 millisecond'
          FROM lease WHERE id = ${id}::uuid AND state = 'sent' RETURNING 1
        )`,
    );
  }

  /** A node has taken it, or has said that it does not: since then it may be mined, however often it is sent again. */
  async markBroadcast({ id }: OutgoingTransfer, { number }: AttemptTerms): Promise<void> {
    await this.database.$executeRaw`
      UPDATE transfer_attempts SET broadcast_at = coalesce(broadcast_at, clock_timestamp())
      WHERE transfer_id = ${id}::uuid AND number = ${number}::int`;
  }

  /** Why one that has no nonce, or was sent, does not go on. */
  async holdBack(transfer: OutgoingTransfer, by: TransferHold | null, retryMs = 0): Promise<void> {
    const { id, heldBy } = transfer;
    if (heldBy === by && retryMs === 0) return;
    await this.database.$executeRaw`
      UPDATE outgoing_transfers SET held_by = ${by},
        updated_at = CASE WHEN held_by IS DISTINCT FROM ${by}::text THEN clock_timestamp() ELSE updated_at END,
        retry_at = CASE WHEN ${retryMs}::int > 0 THEN clock_timestamp() + ${retryMs}::int * interval '1 millisecond'
          ELSE retry_at END
      WHERE id = ${id}::uuid AND (state = 'sent' OR (state = 'waiting' AND nonce IS NULL))`;
  }

  /** One of which nothing was signed ends. Not where it got a nonce meanwhile. */
  async failUnsigned({ id }: OutgoingTransfer, failure: TransferFailure): Promise<void> {
    await this.database.$executeRaw`
      UPDATE outgoing_transfers SET state = 'failed', failure = ${failure}, held_by = NULL, retry_at = NULL,
        updated_at = clock_timestamp()
      WHERE id = ${id}::uuid AND state = 'waiting' AND nonce IS NULL`;
  }

  /** In which blocks they are for now. @throws LaneLost */
  async stand(lane: Lane, places: readonly TransferPlace[]): Promise<void> {
    const moved = places.filter(({ transfer, found }) => transfer.blockHash !== (found?.receipt.blockHash ?? null));
    if (moved.length === 0) return;
    const column = columnsOf(
      moved.map(({ transfer, found }) => ({
        id: transfer.id,
        blockNumber: found?.receipt.blockNumber ?? null,
        blockHash: found && byteaText(found.receipt.blockHash),
        hash: found && !found.attempt.cancels ? byteaText(found.attempt.hash) : null,
      })),
    );
    await this.commit(
      lane,
      Prisma.sql`
        done AS (
          UPDATE outgoing_transfers SET block_number = moved.block_number, block_hash = moved.block_hash,
            updated_at = clock_timestamp(), transaction_hash = coalesce(moved.hash, transaction_hash)
          FROM lease, unnest(${column('id')}::uuid[], ${column('blockNumber')}::bigint[], ${column('blockHash')}::bytea[],
            ${column('hash')}::bytea[]) AS moved (id, block_number, block_hash, hash)
          WHERE outgoing_transfers.id = moved.id AND state = 'sent' RETURNING 1
        )`,
    );
  }

  /**
   * The ends of transfers, and what the network took for them. A sweep that waited for the coins of one of them has its
   * turn, so that more are ordered only once it was found to need more.
   *
   * @throws LaneLost
   */
  async finish(lane: Lane, ends: readonly TransferEnd[]): Promise<void> {
    if (ends.length === 0) return;
    const column = columnsOf(
      ends.map(({ transfer, attempt, receipt, failure, heldBy }) => ({
        ...{ id: transfer.id, failure, heldBy, blockNumber: receipt.blockNumber },
        state: heldBy !== null ? 'sent' : failure === null ? 'completed' : 'failed',
        fee: (receipt.gasUsed * receipt.effectiveGasPrice).toString(),
        hash: byteaText(attempt.hash),
        blockHash: byteaText(receipt.blockHash),
      })),
    );
    await this.commit(
      lane,
      Prisma.sql`
        done AS (
          UPDATE outgoing_transfers AS transfer SET state = ended.state, failure = ended.failure, fee_wei = ended.fee_wei,
            held_by = ended.held_by, retry_at = NULL, updated_at = clock_timestamp(), transaction_hash = ended.hash,
            block_number = ended.block_number, block_hash = ended.block_hash
          FROM lease, unnest(${column('id')}::uuid[], ${column('state')}::text[], ${column('failure')}::text[],
            ${column('fee')}::numeric[], ${column('heldBy')}::text[], ${column('hash')}::bytea[],
            ${column('blockNumber')}::bigint[], ${column('blockHash')}::bytea[]
          ) AS ended (id, state, failure, fee_wei, held_by, hash, block_number, block_hash)
          WHERE transfer.id = ended.id AND transfer.state = 'sent'
          RETURNING transfer.*
        ), entries AS (
          INSERT INTO treasury_entries (id, network, kind, transfer_id, transaction_hash, wei)
          SELECT gen_random_uuid(), network, entry.kind, done.id, transaction_hash, entry.wei
          FROM done, LATERAL (VALUES ('fee', fee_wei),
            ('gas', CASE WHEN done.kind = 'gas' AND state = 'completed' THEN units END)) AS entry (kind, wei)
          WHERE entry.wei IS NOT NULL
        ), supplied AS (
          UPDATE outgoing_transfers AS sweep SET held_by = 'turn', retry_at = NULL, updated_at = clock_timestamp()
          FROM done WHERE done.kind = 'gas' AND sweep.network = done.network AND sweep.from_address = done.to_address
            AND sweep.kind = 'sweep' AND sweep.state = 'waiting' AND sweep.nonce IS NULL AND sweep.held_by = 'gas'
        )`,
    );
  }

  /** Cancelled, and its nonce used up by a transaction that is not ours: nothing of it can be mined. @throws LaneLost */
  async giveUp(lane: Lane, { id }: OutgoingTransfer): Promise<void> {
    await this.commit(
      lane,
      Prisma.sql`
        done AS (
          UPDATE outgoing_transfers SET state = 'failed', failure = 'cancelled', held_by = NULL, retry_at = NULL,
            transaction_hash = NULL, block_number = NULL, block_hash = NULL, updated_at = clock_timestamp()
          FROM lease WHERE id = ${id}::uuid AND state = 'sent' AND cancelled_by IS NOT NULL RETURNING 1
        )`,
    );
  }

  /** From the next pass on the lane's nonces begin where the chain is. False where nothing was ever sent from there. */
  async resume({ network, fromAddress }: Lane, actor: string, reason: string): Promise<boolean> {
    const resumed = await this.database.$executeRaw`
      UPDATE sender_leases SET first_nonce = NULL, resumed_by = ${actor}, resume_reason = ${reason}
      WHERE network = ${network} AND from_address = ${byteaText(fromAddress)}::bytea`;
    return resumed > 0;
  }

  /**
   * What follows from a pass, in one statement, which is a transaction: the lease's row is locked until its end, so that no
   * other instance takes the lane in between.
   *
   * @param writes common table expressions that write `FROM lease`, which has no row where another instance has the lane,
   *   or from one that does; the last one is `done`
   * @returns whether `done` has written anything
   * @throws LaneLost: nothing is stored
   */
  private async commit(lane: Lane, writes: Prisma.Sql): Promise<boolean> {
    const [outcome] = await this.database.$queryRaw<{ held: boolean; done: boolean }[]>`
      WITH lease AS (
        UPDATE sender_leases SET ${PROLONGED} WHERE ${this.isHeld(lane)} RETURNING 1
      ), ${writes}
      SELECT EXISTS (SELECT FROM lease) AS held, EXISTS (SELECT FROM done) AS done`;
    if (outcome?.held !== true) throw new LaneLost();
    return outcome.done;
  }

  private isHeld({ network, fromAddress }: Lane): Prisma.Sql {
    return Prisma.sql`network = ${network} AND from_address = ${byteaText(fromAddress)}::bytea
      AND holder = ${this.holder}::uuid AND expires_at > clock_timestamp()`;
  }
}

/** Without what it is selected from: one row, or none. */
const insertTerms = (id: string, terms: AttemptTerms): Prisma.Sql => Prisma.sql`
  INSERT INTO transfer_attempts (transfer_id, number, cancels, gas, max_fee_per_gas, max_priority_fee_per_gas)
  SELECT ${id}::uuid, ${terms.number}::int, ${terms.cancels}::boolean, ${terms.gas}::bigint,
    ${terms.maxFeePerGas.toString()}::numeric, ${terms.maxPriorityFeePerGas.toString()}::numeric`;

const otherTerms = (id: string, number: number): Error =>
  new Error(`attempt ${number} of the transfer ${id} has other terms, which may be signed`);

const refusedTerms = (id: string, number: number, refused: string): Prisma.Sql => Prisma.sql`
  refused AS (
    UPDATE transfer_attempts SET refused = ${refused} FROM lease
    WHERE transfer_id = ${id}::uuid AND number = ${number}::int AND raw IS NULL
  )`;

const attemptOf = (row: AttemptRow): TransferAttempt => ({
  ...{ number: row.number, cancels: row.cancels, gas: Number(row.gas) },
  maxFeePerGas: BigInt(row.max_fee_per_gas),
  maxPriorityFeePerGas: BigInt(row.max_priority_fee_per_gas),
  ...{ raw: row.raw, hash: row.hash, refused: row.refused },
  ...{ createdAt: row.created_at, broadcastAt: row.broadcast_at },
});
