/**
 * A witness: a place out of reach of the ledger's database that keeps the newest checkpoint of each shard's log, and takes a
 * newer one only with the proof that it extends the one it has. So no login of the database can rewrite what a witness has
 * seen, and two logs that the ledger's key has signed don't both pass.
 *
 * | adapter              | is                                                       | who vouches                            |
 * |----------------------|----------------------------------------------------------|----------------------------------------|
 * | `WitnessBook`        | a directory, on another disk than the database's         | the rights on that directory           |
 * | `HttpWitness`        | any server of c2sp.org/tlog-witness, `apps/witness` too  | its cosignature, over each checkpoint  |
 */
import { WitnessRequest } from '@stablecoin/event-proofs/witness-request';

export type WitnessAnswer =
  | { answer: 'taken' }
  /** It has a checkpoint of another size than the request says: the proof must begin there. */
  | { answer: 'other_size'; size: number }
  /** What it has and what was sent are not of one log, or it does not trust what was sent. It keeps what it had. */
  | { answer: 'refused'; problem: string };

/** A checkpoint that the ledger's key has signed and that the witness has not taken. */
export interface RefusedCheckpoint {
  note: string;
  problem: string;
  /** Of the size of one that it has, and with another root: the key has signed two logs. Else only a proof was wrong. */
  is_proof: boolean;
  /** ISO 8601. */
  received_at: string;
}

export interface Witness {
  /** For messages and metrics: a path, or the name in its key. */
  readonly name: string;
  submit(request: WitnessRequest): Promise<WitnessAnswer>;
  /** The newest checkpoint of the log that it has, with its cosignature where it gives one. */
  newest(origin: string): Promise<string | undefined>;
  refused(origin: string): Promise<RefusedCheckpoint[]>;
  /** The logs that it has checkpoints of; of a server that doesn't say, none. */
  origins(): Promise<string[]>;
}

/** The witness can't be reached, or answers what no witness answers. */
export class WitnessUnavailable extends Error {}
