/** Makes proofs from the database, to be checked without it: see libs/event-proofs. */
import { writeFileSync } from 'node:fs';
import { readCheckpoint } from '@stablecoin/event-proofs/checkpoint';
import { parseTrustedKey } from '@stablecoin/event-proofs/signed-note';
import {
  checkpointOfSize,
  CheckpointRow,
  latestCheckpoint,
  verifierKeys,
} from '@stablecoin/ledger-store/checkpoints/checkpoint-rows';
import { consistencyDocument, proofDocument } from '@stablecoin/ledger-store/checkpoints/prove';
import { recordedEvent } from '@stablecoin/ledger-store/event-rows';
import { groupsOfTransaction } from '@stablecoin/ledger-store/history';
import { Sql } from '@stablecoin/persistence/sql';
import { AuditFailure, EXIT, Report } from '../report/report';
import { transactionIdOf } from '../explain/explain';
import { PlacedShard } from '../database/where-shards-are';

export async function proofReport(sql: Sql, reference: string, out?: string): Promise<Report> {
  const id = await transactionIdOf(sql, reference);
  const rows = id === undefined ? [] : await groupsOfTransaction(sql, id);
  const events = rows.map(({ body }) => recordedEvent(body).event);
  const opened = events.flatMap((event) => ('opens' in event && event.opens) || []).find((one) => one.id === id);
  const [first, last] = [rows[0], rows.at(-1)];
  if (!opened || !first || !last) {
    throw new AuditFailure(`The log knows no transaction ${reference}: check the id.`, EXIT.finding);
  }
  const checkpoint = await latestCheckpoint(sql, first.shard);
  if (!checkpoint || checkpoint.size < last.position) {
    const reach = checkpoint ? `the last one ends at position ${checkpoint.size}` : 'there is none yet';
    throw new AuditFailure(
      `No checkpoint covers position ${last.position} of shard ${first.shard}: ${reach}. Make one with npm run audit -- checkpoint.`,
      EXIT.finding,
    );
  }
  const document = await proofDocument(sql, opened.transaction_id, rows, checkpoint);
  return written(document, out, `Proof of ${opened.transaction_id}, with ${rows.length} events`);
}

/** @param sizes of two checkpoints; without the newer one, the newest */
export async function consistencyReport(
  sql: Sql,
  shard: number,
  sizes: { from: number; to?: number },
  out?: string,
): Promise<Report> {
  const old = await checkpointOfSize(sql, shard, sizes.from);
  const grown =
    sizes.to === undefined ? await latestCheckpoint(sql, shard) : await checkpointOfSize(sql, shard, sizes.to);
  if (!old || !grown || old.size > grown.size) {
    throw new AuditFailure(
      `Shard ${shard} has no two such checkpoints: see npm run audit -- checkpoints.`,
      EXIT.finding,
    );
  }
  const document = await consistencyDocument(sql, old, grown);
  return written(
    document,
    out,
    `Proof that the log of ${old.size} events is the beginning of the one of ${grown.size}`,
  );
}

/** Of every shard: its keys, and its newest checkpoint as it was signed. */
export async function checkpointsReport(placed: readonly PlacedShard[]): Promise<Report> {
  const shards = [];
  for (const { shard, database: sql } of placed) {
    const latest = await latestCheckpoint(sql, shard);
    shards.push({ shard, keys: (await verifierKeys(sql, shard)).map(keyOf), latest: latest ? said(latest) : null });
  }
  const texts = shards.map(({ shard, keys, latest }) =>
    [
      `Shard ${shard}: ${latest ? `${latest.size} events signed at ${latest.time}` : 'nothing signed yet'}`,
      ...keys.map(({ key_id, public_key, verifier_key }) => `key ${key_id}  ${public_key}  ${verifier_key}`),
      ...(latest ? ['', latest.checkpoint] : []),
    ].join('\n'),
  );
  return { ok: true, json: { shards }, text: texts.join('\n') };
}

function keyOf(verifier_key: string) {
  const key = parseTrustedKey(verifier_key);
  const key_id = verifier_key.split('+')[1] ?? '';
  return { key_id, public_key: key?.publicKey.toString('base64') ?? '', verifier_key };
}

function said({ note, size, key_id }: CheckpointRow) {
  return { size, key_id, time: readCheckpoint(note)?.time ?? null, checkpoint: note };
}

function written(document: object, out: string | undefined, what: string): Report {
  const text = JSON.stringify(document, null, 2);
  if (out === undefined) return { ok: true, json: { ...document }, text };
  try {
    writeFileSync(out, `${text}\n`);
  } catch (error) {
    throw new AuditFailure(`${out} can't be written: ${(error as Error).message}`);
  }
  return { ok: true, json: { file: out }, text: `${what}: written to ${out}` };
}
