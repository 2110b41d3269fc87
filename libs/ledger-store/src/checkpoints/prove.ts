/** Makes the documents of libs/event-proofs from the log and its checkpoints. Their reader checks them. */
import { openEvent, balanceCommitment } from '@stablecoin/event-proofs/ledger-leaf';
import {
  CONSISTENCY_FORMAT,
  ConsistencyDocument,
  PROOF_FORMAT,
  ProofDocument,
  ProvenEvent,
} from '@stablecoin/event-proofs/proof-documents';
import { consistencyPath, inclusionPath, TileSource } from '@stablecoin/event-proofs/tree-proofs';
import { Sql } from '@stablecoin/persistence/sql';
import { EventRow, recordedEvent } from '../event-rows';
import { CheckpointRow } from './checkpoint-rows';
import { logTiles, TileCache } from './log-tiles';

/** @param groups whole groups of events, all of them before or at the checkpoint's size */
export async function proofDocument(
  sql: Sql,
  transaction_id: string,
  groups: readonly EventRow[],
  checkpoint: CheckpointRow,
  cache?: TileCache,
): Promise<ProofDocument> {
  const tiles = logTiles(sql, checkpoint.shard, checkpoint.size, cache);
  const events = await Promise.all(groups.map((row) => provenEvent(row, tiles, checkpoint.size)));
  return { format: PROOF_FORMAT, transaction_id, checkpoint: checkpoint.note, events };
}

async function provenEvent({ position, body, hash }: EventRow, tiles: TileSource, size: number): Promise<ProvenEvent> {
  const { statement, balance, salt } = openEvent(body, hash);
  const path = (await inclusionPath(tiles, position - 1, size)).map((beside) => beside.toString('hex'));
  const shown = isOfTheHouse(body)
    ? { balance: null, commitment: balanceCommitment(balance, salt).toString('hex') }
    : { balance: { after: balance, salt: salt.toString('hex') }, commitment: null };
  return { position, statement, ...shown, path };
}

/** Whether the event's account is the house's: its balance sums the business of all merchants and is never shown. */
export function isOfTheHouse(body: string): boolean {
  const { event } = recordedEvent(body);
  return 'account_id' in event && event.account_id.includes(':');
}

export async function consistencyDocument(
  sql: Sql,
  old: CheckpointRow,
  grown: CheckpointRow,
  cache?: TileCache,
): Promise<ConsistencyDocument> {
  const path = await consistencyPath(logTiles(sql, old.shard, grown.size, cache), old.size, grown.size);
  return { format: CONSISTENCY_FORMAT, old: old.note, new: grown.note, path: path.map((hash) => hash.toString('hex')) };
}
