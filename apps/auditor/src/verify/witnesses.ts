/**
 * What witnesses have seen of the log (c2sp.org/tlog-witness, or a directory out of reach of the database). They are asked before the
 * snapshot is taken, so that the log must have all that they have. `checkpoint-check` compares their newest checkpoints with the log;
 * here is what only they can say: that two logs were signed, and that something is in the log that they were never shown.
 */
import { originOf, readCheckpoint, shardOf, verifyCheckpoint } from '@stablecoin/event-proofs/checkpoint';
import { TrustedKey } from '@stablecoin/event-proofs/signed-note';
import { latestCheckpoint } from '@stablecoin/ledger-store/checkpoints/checkpoint-rows';
import { readEventRows } from '@stablecoin/ledger-store/event-rows';
import { Sql } from '@stablecoin/persistence/sql';
import { RefusedCheckpoint, Witness, WitnessUnavailable } from '@stablecoin/witness/witness';
import { AuditFailure } from '../report/report';
import { CheckpointOutcome } from './checkpoint-outcome';

/** The minute after which the ledger signs and publishes again, and as much for a witness that is slow. */
export const UNWITNESSED_MAX_MS = 120_000;

/** What one witness has of one shard's log. */
export interface Witnessed {
  witness: string;
  shard: number;
  /** Null when it has seen nothing of it. */
  note: string | null;
  refused: readonly RefusedCheckpoint[];
}

export interface WitnessOutcome {
  witness: string;
  shard: number;
  /** Of the newest checkpoint that it has. */
  size: number;
  time: string | null;
  /** Signed checkpoints that it has not taken, whose proof was wrong. */
  unproven: number;
  fault: { position: number; problem: string } | null;
}

export interface WitnessQuestion {
  witnesses: readonly Witness[];
  /** Only this shard. */
  shard?: number;
  /** `CHECKPOINT_ORIGIN` of the ledger. */
  ledger?: string;
  /** A key with its name says how the ledger is called. */
  keys?: readonly TrustedKey[];
}

/** A shard, and the database that it is on. */
interface SignedShard {
  shard: number;
  database: Sql;
}

/** @throws AuditFailure when one can't be asked: then nothing is known of the log */
export async function askWitnesses(
  placed: readonly SignedShard[],
  { witnesses, shard: asked, ledger, keys = [] }: WitnessQuestion,
): Promise<Witnessed[]> {
  try {
    const origins = (await Promise.all(witnesses.map((witness) => witness.origins()))).flat();
    const name = ledger ?? namedBy(keys) ?? (await onlyLedgerOf(origins, () => ledgerInDatabases(placed)));
    const seen = origins.filter((origin) => ledgerOf(origin) === name).flatMap((origin) => shardOf(origin) ?? []);
    const all = [...new Set([...placed.map(({ shard }) => shard), ...seen])].filter(
      (shard) => asked === undefined || shard === asked,
    );
    const answers = witnesses.flatMap((witness) => all.map((shard) => askOne(witness, shard, originOf(name, shard))));
    return await Promise.all(answers);
  } catch (error) {
    if (error instanceof WitnessUnavailable) throw new AuditFailure(`A witness could not be asked: ${error.message}.`);
    throw error;
  }
}

async function askOne(witness: Witness, shard: number, origin: string): Promise<Witnessed> {
  const note = (await witness.newest(origin)) ?? null;
  if (note !== null && readCheckpoint(note)?.origin !== origin) {
    throw new WitnessUnavailable(`${witness.name} answered with a checkpoint of another log than ${origin}`);
  }
  return { witness: witness.name, shard, note, refused: await witness.refused(origin) };
}

const ledgerOf = (origin: string) => origin.replace(/\/shard\/\d+$/, '');

async function ledgerInDatabases(placed: readonly SignedShard[]): Promise<string | undefined> {
  for (const { shard, database } of placed) {
    const origin = readCheckpoint((await latestCheckpoint(database, shard))?.note ?? '')?.origin;
    if (origin) return ledgerOf(origin);
  }
  return undefined;
}

const namedBy = (keys: readonly TrustedKey[]): string | undefined =>
  keys.flatMap(({ name }) => (name === undefined ? [] : [ledgerOf(name)]))[0];

/**
 * The database's own word is not asked for where a witness knows a ledger: by another name it would be one of which no
 * witness has seen anything.
 */
async function onlyLedgerOf(
  origins: readonly string[],
  inDatabase: () => Promise<string | undefined>,
): Promise<string> {
  const names = [...new Set(origins.map(ledgerOf))];
  const name = names.length === 0 ? await inDatabase() : names[0];
  if (name !== undefined && names.length <= 1) return name;
  const known =
    names.length === 0 ? 'neither the witnesses nor the database name' : 'the witnesses know several, not only';
  throw new AuditFailure(`Which ledger is it? Give --ledger, as CHECKPOINT_ORIGIN is: ${known} this one.`);
}

/** @param checked what came of the comparison with the log; shards whose log can be trusted so far */
export async function judgeWitnesses(
  sql: Sql,
  witnessed: readonly Witnessed[],
  checked: readonly CheckpointOutcome[],
  { keys, now = new Date() }: { keys?: readonly TrustedKey[]; now?: Date },
): Promise<WitnessOutcome[]> {
  const outcomes: WitnessOutcome[] = [];
  for (const { witness, shard, note, refused } of witnessed) {
    const seen = note === null ? undefined : readCheckpoint(note);
    const size = seen?.size ?? 0;
    const isSound = checked.some((outcome) => outcome.shard === shard && outcome.fault === null);
    const two = refused.find((one) => one.is_proof && isOurs(one, keys));
    outcomes.push({
      witness,
      shard,
      size,
      time: seen?.time ?? null,
      unproven: refused.filter(({ is_proof }) => !is_proof).length,
      fault: two ? signedTwice(witness, two) : isSound ? await unwitnessed(sql, { witness, shard, size, now }) : null,
    });
  }
  return outcomes;
}

/** With keys from elsewhere, what a witness calls evidence has to be signed by one of them. */
const isOurs = ({ note }: RefusedCheckpoint, keys: readonly TrustedKey[] | undefined) =>
  keys === undefined || typeof verifyCheckpoint(note, keys) !== 'string';

function signedTwice(witness: string, { problem, note, received_at }: RefusedCheckpoint): WitnessOutcome['fault'] {
  const position = readCheckpoint(note)?.size ?? 0;
  return { position, problem: `two logs were signed: at ${received_at} witness ${witness} refused ${problem}` };
}

async function unwitnessed(
  sql: Sql,
  { witness, shard, size, now }: { witness: string; shard: number; size: number; now: Date },
): Promise<WitnessOutcome['fault']> {
  const [first] = await readEventRows(sql, shard, size, 1);
  if (!first || now.getTime() - Date.parse(first.recorded_at) <= UNWITNESSED_MAX_MS) return null;
  const what = size === 0 ? 'nothing of this log' : 'none of the events from here on';
  return {
    position: first.position,
    problem: `witness ${witness} has seen ${what}, and the first is of ${first.recorded_at}`,
  };
}
