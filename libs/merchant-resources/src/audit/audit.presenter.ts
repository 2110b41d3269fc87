import { MOVEMENTS } from '@stablecoin/contracts/wallet/facts';
import { TRANSACTION_MODES, TRANSACTION_STATUSES, TRANSACTION_TYPES } from '@stablecoin/contracts/wallet/views';
import { CONSISTENCY_FORMAT, PROOF_FORMAT } from '@stablecoin/event-proofs/proof-documents';
import { LIABILITY_FORMAT } from '@stablecoin/event-proofs/liabilities/verify-liability';
import {
  always,
  amount,
  balance,
  count,
  currency,
  listOf,
  matching,
  nullable,
  object,
  oneOf,
  resource,
  text,
  timestamp,
  uuid,
} from '@stablecoin/http-answers/response-schema';

// The ledger's answers are printed unchanged: merchants check these documents to the byte.

const HASH = matching(/^[0-9a-f]{64}$/, 'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b');
const KEY = matching(/^[A-Za-z0-9+/]{43}=$/, 'fO1dL8kz7N0i4l4jL1mH3rQ0o3b0m3mZy1l3m2o9b7A=');
/** Below zero only by a deposit that was reversed. */
const BALANCE = matching(/^-?\d+\.\d{8}$/, '10.50000000');
const TRANSACTION_ID = matching(/^[A-Z0-9]{10}$/, 'K7Q2ZP9X4B');

export const PAST_BALANCE = resource('PastBalance', {
  wallet_id: uuid,
  currency,
  balance,
  position: nullable(count),
  recorded_at: nullable(timestamp),
});

const EXPLAINED_EVENT = resource('ExplainedEvent', {
  position: count,
  group: count,
  movement: oneOf(MOVEMENTS),
  recorded_at: timestamp,
  command_id: uuid,
  type: oneOf(['DebitPosted', 'CreditPosted', 'TransactionStatusChanged']),
  account_id: text,
  currency: nullable(currency),
  amount: nullable(amount),
  from_status: nullable(oneOf(TRANSACTION_STATUSES)),
  to_status: nullable(oneOf(TRANSACTION_STATUSES)),
  balance_after: nullable(balance),
  leaf_hash: HASH,
});

export const TRANSACTION_EXPLANATION = resource('TransactionExplanation', {
  id: uuid,
  transaction_id: TRANSACTION_ID,
  reference_id: uuid,
  transaction_type: oneOf(TRANSACTION_TYPES),
  transaction_mode: oneOf(TRANSACTION_MODES),
  asset_code: currency,
  amount,
  fee: nullable(amount),
  quote_id: nullable(uuid),
  rail_reference: nullable(text),
  statuses: listOf(
    resource('StatusStep', { status: oneOf(TRANSACTION_STATUSES), recorded_at: timestamp, position: count }),
  ),
  checkpoint_size: nullable(count),
  events: listOf(EXPLAINED_EVENT),
});

export const CHECKPOINT = resource('Checkpoint', {
  origin: text,
  size: count,
  root: KEY,
  created_at: timestamp,
  key_id: matching(/^[0-9a-f]{8}$/, '1f2e3d4c'),
  public_key: KEY,
  verifier_key: text,
  checkpoint: text,
});

const PROVEN_EVENT = resource('ProvenEvent', {
  position: count,
  statement: text,
  balance: nullable(object({ after: text, salt: HASH })),
  commitment: nullable(HASH),
  path: listOf(HASH),
});

export const PROOF = resource('Proof', {
  format: always(PROOF_FORMAT),
  transaction_id: TRANSACTION_ID,
  checkpoint: text,
  events: listOf(PROVEN_EVENT),
});

export const CONSISTENCY_PROOF = resource('ConsistencyProof', {
  format: always(CONSISTENCY_FORMAT),
  old: text,
  new: text,
  path: listOf(HASH),
});

export const LIABILITY_PROOF = resource('LiabilityProof', {
  format: always(LIABILITY_FORMAT),
  wallet_id: uuid,
  currency,
  balance: BALANCE,
  held: amount,
  salt: HASH,
  index: count,
  path: listOf(resource('LiabilityNode', { hash: HASH, sum: amount })),
  statement: text,
});
