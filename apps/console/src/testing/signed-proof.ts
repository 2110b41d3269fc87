/** A proof as the ledger makes them, of a deposit or any other groups of postings. */
import { originOf, signCheckpoint } from '@stablecoin/event-proofs/checkpoint';
import { CompactRange } from '@stablecoin/event-proofs/compact-range';
import { balanceCommitment, ledgerLeaf } from '@stablecoin/event-proofs/ledger-leaf';
import { leafHash } from '@stablecoin/event-proofs/merkle-tree';
import { PROOF_FORMAT, type ProofDocument, type ProvenEvent } from '@stablecoin/event-proofs/proof-documents';
import { NoteSigner } from '@stablecoin/event-proofs/signed-note';
import { inclusionPath, Tile } from '@stablecoin/event-proofs/tree-proofs';
import type { Transaction } from '../api/client';

const ORIGIN = originOf('ledger.example', 3);
export const SIGNER = new NoteSigner(ORIGIN, Buffer.alloc(32, 7));
/** Of another key of the same log. */
export const OTHER_SIGNER = new NoteSigner(ORIGIN, Buffer.alloc(32, 8));

const SALT = Buffer.alloc(32, 4);
const FIRST = 5;
const SIZE = 21;

type Stated = Record<string, unknown>;

/** Recorded in one group, credited in another, between events of other transactions. */
export function depositProof(transaction: Transaction): Promise<ProofDocument> {
  const { id, transaction_id, reference_id, transaction_type, transaction_mode, asset_code, amount } = transaction;
  const opens = { id, transaction_id, reference_id, transaction_type, transaction_mode, currency: asset_code, amount };
  const account_id = transaction.receiver_wallet_id ?? '';
  const step = { type: 'TransactionStatusChanged', transaction: id, account_id };
  const posting = { transaction: id, currency: asset_code, amount };
  return proofOf(transaction_id, [
    { group: FIRST, event: { ...step, from: null, to: 'PENDING', opens } },
    { group: FIRST + 1, event: { type: 'DebitPosted', account_id: `external:erc20:${asset_code}`, ...posting } },
    { group: FIRST + 1, event: { type: 'CreditPosted', account_id, ...posting }, balance: transaction.balance },
    { group: FIRST + 1, event: { ...step, from: 'PENDING', to: 'COMPLETED' } },
  ]);
}

export async function proofOf(
  transactionId: string,
  stated: readonly { group: number; event: Stated; balance?: string }[],
): Promise<ProofDocument> {
  const events = stated.map(({ group, event, balance }, place): Omit<ProvenEvent, 'path'> => {
    const position = FIRST + place;
    const recorded_at = '2026-01-31T09:30:00.000Z';
    const ids = { merchant_id: 'm', command_id: 'c' };
    const statement = JSON.stringify({ shard: 3, position, group, movement: 'test', recorded_at, ...ids, event });
    const opened = balance === undefined ? null : { after: balance, salt: SALT.toString('hex') };
    const commitment = balance === undefined ? balanceCommitment('', SALT).toString('hex') : null;
    return { position, statement, balance: opened, commitment };
  });
  const leaves = Array.from({ length: SIZE }, (_, index) => {
    const event = events.find(({ position }) => position === index + 1);
    if (event === undefined) return leafHash(`event ${index}`);
    return ledgerLeaf(event.statement, balanceCommitment(event.balance?.after ?? '', SALT));
  });
  const range = new CompactRange();
  for (const leaf of leaves) range.append(leaf);
  const checkpoint = signCheckpoint({ size: SIZE, root: range.root, time: '2026-01-31T09:35:00.000Z' }, SIGNER);
  const withPaths = events.map(async (event) => {
    const path = await inclusionPath(() => Promise.resolve(new Tile(leaves)), event.position - 1, SIZE);
    return { ...event, path: path.map((hash) => hash.toString('hex')) };
  });
  return { format: PROOF_FORMAT, transaction_id: transactionId, checkpoint, events: await Promise.all(withPaths) };
}
