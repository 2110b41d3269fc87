/**
 * Signs, at intervals, what the ledger owes to all wallets: per currency a Merkle-sum tree for live merchants and one for test, at the last
 * checkpoint of each shard.
 * Runs on the instance that holds the first shard, beside its writer, on connections that only read projections otherwise.
 *
 * | phase | reads, in one snapshot                        | writes                       | bounded by                        |
 * |-------|-----------------------------------------------|------------------------------|-----------------------------------|
 * | judge | the statement that was signed last, as        | nothing                      | a row                             |
 * |       | remembered outside Postgres                   |                              |                                   |
 * | place | each shard's last checkpoint and its keys     | nothing                      | a row per shard                   |
 * | trees | wallets and what opened them, pending         | a tile per 256 leaves        | memory: a tile per level; a pause |
 * |       | payouts, the events since the checkpoints     |                              | of the event loop between tiles   |
 * |       | (`wallet-liabilities`)                        |                              |                                   |
 * | check | the house's accounts                          | nothing                      | a row per account                 |
 * | sign  | nothing                                       | the statement; older tiles   | one signature                     |
 * |       |                                               | are removed                  |                                   |
 * | keep  | nothing                                       | its number, outside Postgres | a small file                      |
 *
 * All of it but the last is one transaction, and one more of each further database: a statement is stored with its tree or not at all.
 * Its number is a primary key, so that two
 * instances can't make two statements of one number. What is named are checkpoints, which the ledger signs only when the log is
 * what it wrote; and the projections are believed only where the wallets' sums are those of the house's accounts.
 */
import { randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { BackgroundLoop } from '@stablecoin/background-work/background-loop';
import { verifyCheckpoint } from '@stablecoin/event-proofs/checkpoint';
import {
  codeOf,
  LiabilityPlace,
  readLiabilities,
  signLiabilities,
  StatedShard,
} from '@stablecoin/event-proofs/liabilities/liability-statement';
import { EMPTY_ROOT } from '@stablecoin/event-proofs/merkle-tree';
import { NoteSigner, parseTrustedKey } from '@stablecoin/event-proofs/signed-note';
import { latestCheckpoint, verifierKeys } from '@stablecoin/ledger-store/checkpoints/checkpoint-rows';
import { LedgerReads } from '@stablecoin/ledger-store/ledger-database';
import {
  deleteTilesBefore,
  insertLiabilities,
  insertTile,
  latestLiabilities,
  LiabilityRow,
  readLiabilityRows,
} from '@stablecoin/ledger-store/liabilities/liability-rows';
import { makeLiabilityTrees, TreeSum } from '@stablecoin/ledger-store/liabilities/liability-trees';
import { counterSums, PartOfWallets } from '@stablecoin/ledger-store/liabilities/wallet-liabilities';
import { Sql } from '@stablecoin/persistence/sql';
import { instruments } from '@stablecoin/telemetry/metrics/instruments';
import { placedOtherThanOnce, ShardRow } from '../databases/placed-once';
import { hashOfNote, StatementMemoryFile } from './statement-memory';

/** The newest statements whose trees are kept: a request that meets a change of statements still gets a branch. */
const TREES_KEPT = 2;
/** How often it looks whether a statement is due, at the least. */
const LOOK_MS = 60_000;
const TRANSACTION = { maxWait: 10_000, timeout: 10 * 60_000, isolationLevel: 'REPEATABLE READ' } as const;

/**
 * The snapshots, of which one is taken after the other, have a shard in both or in none: no statement is made without it, or with it twice.
 * The next pass looks again.
 */
export class ShardsMoving extends Error {
  constructor(shards: readonly number[]) {
    super(`shard ${shards.join(', ')} is not on exactly one database: it moves, or one of them was restored`);
  }
}

/** The projections don't add up: a statement of them would be false. */
export class LiabilitiesContradicted extends Error {}

export interface LiabilityMakerOptions {
  /** Home, where statements are kept. */
  database: LedgerReads;
  /** Further databases with shards. */
  others?: readonly LedgerReads[];
  /** Named after the origin of the ledger's liabilities. */
  signer: NoteSigner;
  intervalMs: number;
  now: () => Date;
  /** What was signed last, kept outside Postgres; left out where no directory is configured. */
  memory?: Pick<StatementMemoryFile, 'read' | 'write'>;
}

export class LiabilityMaker {
  private readonly log = new Logger(LiabilityMaker.name);
  private readonly loop: BackgroundLoop;
  private stopping = false;

  constructor(private readonly options: LiabilityMakerOptions) {
    const pauseMs = Math.min(LOOK_MS, options.intervalMs);
    this.loop = new BackgroundLoop({
      pass: async () => {
        await this.makeWhenDue();
        return pauseMs;
      },
      failed: (error) => {
        const isContradicted = error instanceof LiabilitiesContradicted;
        if (this.stopping) return pauseMs;
        instruments.ledger_liability_statements_total.inc({ outcome: isContradicted ? 'contradicted' : 'failed' });
        if (isContradicted) this.log.error(`no statement of liabilities is signed: ${error.message}`);
        else this.log.warn(`no statement of liabilities: ${(error as Error).message}`);
        return pauseMs;
      },
    });
  }

  start(): void {
    this.loop.start();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await this.loop.stop();
  }

  private async makeWhenDue(): Promise<void> {
    const { database, intervalMs, now } = this.options;
    const last = await latestLiabilities(database);
    if (last && now().getTime() - Date.parse(last.created_at) < intervalMs) return;
    const began = performance.now();
    const made = await this.make();
    instruments.ledger_liability_statements_total.inc({ outcome: made ? 'signed' : 'unchanged' });
    if (made) instruments.ledger_liability_statement_seconds.observe((performance.now() - began) / 1_000);
  }

  /**
   * @returns undefined where nothing was signed since the last statement, or not every shard is signed yet
   * @throws LiabilitiesContradicted, ShardsMoving
   */
  async make(): Promise<LiabilityRow | undefined> {
    const { database, others = [], memory } = this.options;
    const made = await database.sql.$transaction(
      (home) => withSnapshots(others, (snapshots) => this.makeIn(home, [home, ...snapshots])),
      TRANSACTION,
    );
    // After the commit: a memory of what the table has not would keep the ledger from signing for ever.
    if (made) await memory?.write({ number: made.number, hash: hashOfNote(made.note), time: made.created_at });
    return made;
  }

  /** Another statement of a number that was signed before would hide the one that was. @throws LiabilitiesContradicted */
  private async assertRemembered(sql: Sql): Promise<void> {
    const kept = await this.options.memory?.read();
    if (!kept) return;
    const [row] = await readLiabilityRows(sql, { after: kept.number - 1, limit: 1 });
    if (row?.number === kept.number && hashOfNote(row.note) === kept.hash) return;
    throw new LiabilitiesContradicted(
      `statement ${kept.number}, which was signed at ${kept.time}, is ${row?.number === kept.number ? 'another' : 'gone'}`,
    );
  }

  /** @param snapshots of all databases, home's among them: what is owed is read at signed positions, so they need no common moment */
  private async makeIn(home: Sql, snapshots: readonly Sql[]): Promise<LiabilityRow | undefined> {
    const { signer, now } = this.options;
    await this.assertRemembered(home);
    const last = await latestLiabilities(home);
    const named = await Promise.all(snapshots.map(namedShards));
    const moving = placedOtherThanOnce(named.flat());
    if (moving.length > 0) throw new ShardsMoving(moving);
    const parts: LiabilityPart[] = [];
    for (const sql of snapshots) {
      const signed = await this.signedShards(sql);
      if (!signed) return undefined;
      parts.push({ sql, positions: signed });
    }
    const shards = statedShards(parts);
    if (!shards.some(({ size }) => size > 0) || isSamePlace(shards, last)) return undefined;
    const number = (last?.number ?? 0) + 1;
    const created_at = now().toISOString();
    const place: LiabilityPlace = { form: 2, origin: signer.name, number, time: created_at, shards };
    const secret = randomBytes(32);
    const sums = await makeLiabilityTrees(parts, place, { secret, pending: 'by counts' }, async (tile) => {
      if (this.stopping) throw new Error('the process ends');
      await insertTile(home, number, tile);
    });
    await assertCountered(parts, sums);
    const note = signLiabilities({ ...place, owed: sums }, signer);
    const made = { number, note, key_id: signer.keyId, verifier_key: signer.verifierKey, secret, created_at };
    await insertLiabilities(home, made);
    await deleteTilesBefore(home, number + 1 - TREES_KEPT);
    return made;
  }

  /** The newest checkpoint of each shard of a database; undefined while one with events has none. @throws LiabilitiesContradicted */
  private async signedShards(sql: Sql): Promise<StatedShard[] | undefined> {
    const { signer } = this.options;
    const heads = await sql.$queryRaw<{ shard: number; head_position: bigint }[]>`
      SELECT shard, head_position FROM ledger_shards WHERE moved_to IS NULL ORDER BY shard`;
    const shards: StatedShard[] = [];
    for (const { shard, head_position } of heads) {
      const checkpoint = await latestCheckpoint(sql, shard);
      if (!checkpoint && head_position > 0n) return undefined;
      if (!checkpoint) {
        shards.push({ shard, size: 0, root: EMPTY_ROOT });
        continue;
      }
      const stored = (await verifierKeys(sql, shard)).flatMap((key) => parseTrustedKey(key) ?? []);
      const signed = verifyCheckpoint(checkpoint.note, [{ publicKey: signer.publicKey }, ...stored]);
      if (typeof signed === 'string' || signed.size !== checkpoint.size) {
        const problem = typeof signed === 'string' ? signed : `it is one of ${signed.size} events`;
        throw new LiabilitiesContradicted(`the checkpoint of shard ${shard} at ${checkpoint.size}: ${problem}`);
      }
      shards.push({ shard, size: signed.size, root: signed.root });
    }
    return shards;
  }
}

/** Each shard that a database names, and whether it is there. */
const namedShards = (sql: Sql): PromiseLike<ShardRow[]> =>
  sql.$queryRaw`SELECT shard, moved_to IS NULL AS here FROM ledger_shards`;

interface LiabilityPart extends PartOfWallets {
  positions: StatedShard[];
}

function statedShards(parts: readonly LiabilityPart[]): StatedShard[] {
  return parts.flatMap(({ positions }) => positions).sort((one, other) => one.shard - other.shard);
}

/** One snapshot of each database, all open at once. */
async function withSnapshots<Result>(
  [first, ...others]: readonly LedgerReads[],
  work: (snapshots: Sql[]) => Promise<Result>,
): Promise<Result> {
  if (!first) return work([]);
  return first.sql.$transaction(
    (snapshot) => withSnapshots(others, (snapshots) => work([snapshot, ...snapshots])),
    TRANSACTION,
  );
}

const isSamePlace = (shards: readonly StatedShard[], last: LiabilityRow | undefined): boolean => {
  const before = last && readLiabilities(last.note)?.shards;
  return before?.length === shards.length && shards.every(({ size }, index) => size === before[index]?.size);
};

const totalOf = (sums: readonly TreeSum[], member: 'balances' | 'held') =>
  sums.reduce((total, sum) => total + sum[member], 0n);

async function assertCountered(parts: readonly LiabilityPart[], sums: readonly TreeSum[]): Promise<void> {
  const counters = await counterSums(parts);
  // The house's accounts are those of live and test merchants together.
  const currencies = new Set([...counters.keys(), ...sums.map(({ currency }) => codeOf(currency))]);
  for (const currency of currencies) {
    const ofBoth = sums.filter((sum) => codeOf(sum.currency) === currency);
    const [balances, held] = [totalOf(ofBoth, 'balances'), totalOf(ofBoth, 'held')];
    const counter = counters.get(currency) ?? { balances: 0n, held: 0n };
    if (balances === counter.balances && held === counter.held) continue;
    throw new LiabilitiesContradicted(`the wallets' sums of ${currency} are not those of the house's accounts`);
  }
}
