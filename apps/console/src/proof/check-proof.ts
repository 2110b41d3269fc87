/**
 * Checks a proof in the browser, with its own SHA-256 and Ed25519: the ledger is not asked whether it is right. The rules for
 * what the events have to state are those of libs/event-proofs, and its verifier and this one have to agree on every document.
 */
import { hasFormOfProof, isObject, unwrapped } from '@stablecoin/event-proofs/proof-documents';
import {
  checkGroups,
  openingOf,
  refuse,
  type StatedBy,
  statementAt,
  type StatusReached,
  statusesOf,
} from '@stablecoin/event-proofs/proven-events';
import type { StatedOpening } from '@stablecoin/event-proofs/statement';
import { areEqual, type Bytes, fromHex, sha256 } from './bytes';
import { type Checkpoint, isSignedBy, type PublicKey, readCheckpoint, shardOf } from './signed-checkpoint';

const NODE = Uint8Array.of(1);
const LEAF = Uint8Array.of(0);

export interface CheckedProof {
  checkpoint: Checkpoint;
  /** Whether its signature was held against a key. */
  isSignatureChecked: boolean;
  opening: StatedOpening;
  statuses: StatusReached[];
  events: StatedBy[];
}

/**
 * @param key that the person trusts; without one everything but the signature is checked
 * @throws ProofRefused with one sentence on why it proves nothing
 */
export async function checkProof(document: unknown, key: PublicKey | undefined): Promise<CheckedProof> {
  const proof = unwrapped(document);
  if (!hasFormOfProof(proof)) refuse('it is no document of the form of a proof');
  const checkpoint = readCheckpoint(String(proof['checkpoint']));
  if (checkpoint === undefined) refuse('the checkpoint: it is no checkpoint');
  if (key !== undefined && !(await isSignedBy(checkpoint, key))) {
    refuse('the checkpoint: it has no valid signature by the key that you gave');
  }
  const { transaction_id: transactionId, events: listed } = proof;
  if (!Array.isArray(listed) || listed.length === 0) refuse('it shows no events');
  const events = await Promise.all(listed.map((event: unknown) => provenEvent(event, checkpoint)));
  const opening = openingOf(events, transactionId);
  checkGroups(events, opening.id);
  const statuses = statusesOf(events, opening.id);
  return { checkpoint, isSignatureChecked: key !== undefined, opening, statuses, events };
}

async function provenEvent(event: unknown, { origin, size, root }: Checkpoint): Promise<StatedBy> {
  if (!isObject(event)) refuse('an event is no object');
  const { position, statement: text, path: listed } = event;
  if (typeof position !== 'number' || typeof text !== 'string') refuse('an event lacks its position or its statement');
  const { commitment, balance } = await commitmentOf(event, position);
  const path = Array.isArray(listed) ? listed.map(fromHex) : [undefined];
  if (path.includes(undefined)) refuse(`position ${position}: its path is no list of hashes`);
  const leaf = await sha256(LEAF, 'stablecoin-ledger-leaf/1\n', commitment, text);
  if (!(await isIncluded({ leaf, index: position - 1, size, path: path as Bytes[], root }))) {
    refuse(`position ${position}: the event is not in the log of the checkpoint`);
  }
  return { statement: statementAt(text, position, shardOf(origin)), balance };
}

async function commitmentOf({ balance, commitment }: Record<string, unknown>, position: number) {
  if (balance === undefined || balance === null) {
    const closed = fromHex(commitment);
    return closed ? { commitment: closed } : refuse(`position ${position}: neither a balance nor a commitment to it`);
  }
  const { after, salt } = isObject(balance) ? balance : {};
  const opened = fromHex(salt);
  if (typeof after !== 'string' || !opened) refuse(`position ${position}: its balance is incomplete`);
  return { commitment: await sha256('stablecoin-ledger-balance/1\n', opened, after), balance: after };
}

/** RFC 6962: whether the leaf is at this place of the tree with this root. */
async function isIncluded(proof: { leaf: Bytes; index: number; size: number; path: readonly Bytes[]; root: Bytes }) {
  const { leaf, index, size, path, root } = proof;
  if (!Number.isSafeInteger(index) || index < 0 || index >= size) return false;
  let [place, last, hash] = [index, size - 1, leaf];
  for (const beside of path) {
    if (last === 0) return false;
    if (place % 2 === 1 || place === last) {
      hash = await sha256(NODE, beside, hash);
      // At the right edge, levels on which the node has no sibling are skipped.
      while (place % 2 === 0 && place !== 0) [place, last] = [half(place), half(last)];
    } else {
      hash = await sha256(NODE, hash, beside);
    }
    [place, last] = [half(place), half(last)];
  }
  return last === 0 && areEqual(hash, root);
}

/** A shift would truncate to 32 bits. */
const half = (value: number) => Math.floor(value / 2);
