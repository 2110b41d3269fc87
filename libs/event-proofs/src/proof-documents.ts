/** The documents that carry proofs. None of them holds a secret. */

export const PROOF_FORMAT = 'stablecoin-ledger-proof/1';
export const CONSISTENCY_FORMAT = 'stablecoin-ledger-consistency/1';

/** Shows that events of a transaction are in the log of a signed checkpoint. */
export interface ProofDocument {
  format: typeof PROOF_FORMAT;
  /** The 10 characters. */
  transaction_id: string;
  /** The signed note, line feeds included. */
  checkpoint: string;
  /** Whole groups, in the order of the log. */
  events: ProvenEvent[];
}

export interface ProvenEvent {
  /** In the log of the shard, counted from 1; the leaf's index is one less. */
  position: number;
  /** The event's canonical text without the balance of its account. */
  statement: string;
  /** That balance, with the salt (64 hex digits) that opens the commitment; null for accounts of the house. */
  balance: { after: string; salt: string } | null;
  /** In place of `balance`: the commitment to it that the leaf holds (64 hex digits). */
  commitment: string | null;
  /** The inclusion path, the leaf's sibling first; 64 hex digits each. */
  path: string[];
}

/** Shows that the log of one checkpoint is the beginning of another's. */
export interface ConsistencyDocument {
  format: typeof CONSISTENCY_FORMAT;
  /** The signed notes. */
  old: string;
  new: string;
  /** 64 hex digits each. */
  path: string[];
}

/** Removes the envelope of an HTTP response, so that a file may hold the whole response. */
export function unwrapped(value: unknown): unknown {
  return isObject(value) && value['status'] === 'success' ? value['data'] : value;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether it says of itself that it is a proof, in this version. */
export const hasFormOfProof = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && value['format'] === PROOF_FORMAT;

/** Undefined if it is not a list of hashes in hex. */
export function hashesOf(value: unknown): Buffer[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const hashes = value.map(hashOf).filter((hash) => hash !== undefined);
  return hashes.length === value.length ? hashes : undefined;
}

export function hashOf(value: unknown): Buffer | undefined {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value) ? Buffer.from(value, 'hex') : undefined;
}
