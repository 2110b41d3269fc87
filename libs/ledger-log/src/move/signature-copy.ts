/** Copies what was signed of a shard's log, and how far it was published. Nodes of its tree that are not of its events are refused. */
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { differingTreeNodes, insertMissingTreeNodes } from '@stablecoin/ledger-store/checkpoints/checkpoint-rows';
import { Sql } from '@stablecoin/persistence/sql';
import { LogCopy } from './log-copy';
import { Move, onCopy, parted } from './move';

interface CheckpointRow {
  tree_size: bigint;
  previous_size: bigint | null;
  note: string;
  key_id: string;
  range_hashes: Uint8Array;
  head_hash: Uint8Array;
  created_at: string;
}

const ROWS_AT_ONCE = 500;

export class SignatureCopy {
  /** The size of the last checkpoint that is on the target. */
  private signed = 0;

  constructor(
    private readonly move: Move,
    private readonly copy: LogCopy,
  ) {}

  /** @param from the source, or the transaction that has locked the shard there */
  async copyNew(from: Sql): Promise<void> {
    const { shard } = this.move;
    await this.copyKeys(from);
    for (;;) {
      // Not those that were signed since the last events were copied.
      const rows = await from.$queryRaw<CheckpointRow[]>`
        SELECT tree_size, previous_size, note, key_id, range_hashes, head_hash, created_at::text FROM ledger_checkpoints
        WHERE shard = ${shard} AND tree_size > ${this.signed} AND tree_size <= ${this.copy.position}
        ORDER BY tree_size LIMIT ${ROWS_AT_ONCE}`;
      const last = rows.at(-1);
      if (!last) break;
      await this.store(from, rows, Number(last.tree_size));
    }
    await this.copyPublished(from);
  }

  private async copyKeys(from: Sql): Promise<void> {
    const keys = await from.$queryRaw<{ key_id: string; verifier_key: string; first_used_at: string }[]>`
      SELECT key_id, verifier_key, first_used_at::text FROM ledger_checkpoint_keys WHERE shard = ${this.move.shard}`;
    if (keys.length === 0) return;
    await onCopy(this.move, async (sql) => {
      await sql.$executeRaw`
        INSERT INTO ledger_checkpoint_keys (shard, key_id, verifier_key, first_used_at)
        SELECT ${this.move.shard}::int, * FROM unnest(${keys.map(({ key_id }) => key_id)}::text[],
          ${keys.map(({ verifier_key }) => verifier_key)}::text[], ${keys.map((key) => key.first_used_at)}::timestamptz[])
        ON CONFLICT DO NOTHING`;
    });
  }

  private async store(from: Sql, rows: readonly CheckpointRow[], size: number): Promise<void> {
    const { shard, source } = this.move;
    const nodes = this.copy.tree.completedBetween(this.signed, size);
    if ((await differingTreeNodes(from, shard, nodes)) > 0)
      throw new OperatorError(
        `The stored nodes of shard ${shard}'s tree on ${source.name} are not those of its log: it was not moved. Mend them with ` +
          'npm run rebuild -- --switch, and try again.',
      );
    await onCopy(this.move, async (sql) => {
      for (const row of rows) await this.storeCheckpoint(sql, row);
      await insertMissingTreeNodes(sql, shard, nodes);
      if ((await differingTreeNodes(sql, shard, nodes)) > 0) throw parted(this.move, 'a node of its tree');
    });
    this.signed = size;
  }

  private async storeCheckpoint(sql: Sql, row: CheckpointRow): Promise<void> {
    const { shard } = this.move;
    const { tree_size, previous_size, note, key_id, range_hashes, head_hash, created_at } = row;
    const [known] = await sql.$queryRaw<{ note: string }[]>`
      SELECT note FROM ledger_checkpoints WHERE shard = ${shard} AND tree_size = ${tree_size}`;
    if (known && known.note !== note) throw parted(this.move, `the checkpoint of ${tree_size} events`);
    if (known) return;
    await sql.$executeRaw`
      INSERT INTO ledger_checkpoints
        (shard, tree_size, previous_size, note, key_id, range_hashes, head_hash, created_at)
      VALUES (${shard}, ${tree_size}, ${previous_size}, ${note}, ${key_id}, ${range_hashes}, ${head_hash}, ${created_at}::timestamptz)`;
  }

  private async copyPublished(from: Sql): Promise<void> {
    const { shard } = this.move;
    const [row] = await from.$queryRaw<{ position: bigint; stream_created_at: string | null }[]>`
      SELECT position, stream_created_at::text FROM relay_checkpoints WHERE shard = ${shard}`;
    if (!row) return;
    await onCopy(this.move, async (sql) => {
      await sql.$executeRaw`
        INSERT INTO relay_checkpoints (shard, position, stream_created_at)
        VALUES (${shard}, ${row.position}, ${row.stream_created_at}::timestamptz)
        ON CONFLICT (shard) DO UPDATE SET position = excluded.position, stream_created_at = excluded.stream_created_at`;
    });
  }
}
