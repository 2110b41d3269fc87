import { originOf, signCheckpoint } from '@stablecoin/event-proofs/checkpoint';
import { CompactRange, CompleteNode } from '@stablecoin/event-proofs/compact-range';
import { leafOfEvent } from '@stablecoin/event-proofs/ledger-leaf';
import { NoteSigner } from '@stablecoin/event-proofs/signed-note';
import { insertCheckpoint, insertTreeNodes } from '@stablecoin/ledger-store/checkpoints/checkpoint-rows';
import { TILE_LEVELS } from '@stablecoin/event-proofs/tree-proofs';
import { EventRow } from '@stablecoin/ledger-store/event-rows';
import { Sql } from '@stablecoin/persistence/sql';

export const signerOf = (shard: number, seed = 6) =>
  new NoteSigner(originOf('ledger.test', shard), Buffer.alloc(32, seed));

/** Signs a shard's log at these sizes, like the ledger, and stores the nodes of its tree. */
export async function signLog(
  sql: Sql,
  rows: readonly EventRow[],
  sizes: readonly number[],
  by?: NoteSigner,
): Promise<string[]> {
  const range = new CompactRange();
  const notes: string[] = [];
  const nodes: CompleteNode[] = [];
  let previous_size: number | null = null;
  for (const { shard, body, hash, recorded_at } of rows) {
    nodes.push(...range.append(leafOfEvent(body, hash)).filter(({ level }) => level % TILE_LEVELS === 0));
    if (!sizes.includes(range.size)) continue;
    const signer = by ?? signerOf(shard);
    const note = signCheckpoint({ size: range.size, root: range.root, time: recorded_at }, signer);
    const made = { shard, size: range.size, previous_size, note, range: range.hashes, head_hash: hash };
    const key = { key_id: signer.keyId, verifier_key: signer.verifierKey };
    if (nodes.length > 0) await insertTreeNodes(sql, shard, nodes.splice(0));
    await insertCheckpoint(sql, { ...made, ...key, created_at: recorded_at }, 0n);
    notes.push(note);
    previous_size = range.size;
  }
  return notes;
}
