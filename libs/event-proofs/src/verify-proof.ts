/**
 * Checks a proof with a public key alone: without network, database or trust in the ledger.
 *
 *   the checkpoint is signed → each event's leaf is in its tree → the events are consistent: they are at the positions they
 *   name, in whole groups whose debits equal their credits, and the status follows its steps
 *
 * It proves that these events are in the log. It can't prove that no later event of the transaction is.
 */
import { shardOf, verifyCheckpoint, VerifiedCheckpoint } from './checkpoint';
import { balanceCommitment, ledgerLeaf } from './ledger-leaf';
import { isIncluded } from './merkle-tree';
import { checkGroups, openingOf, refuse, StatedBy, statementAt, StatusReached, statusesOf } from './proven-events';
import { hashesOf, hashOf, isObject, PROOF_FORMAT, unwrapped } from './proof-documents';
import { TrustedKey } from './signed-note';
import { StatedOpening } from './statement';

export interface ProvedTransaction {
  checkpoint: VerifiedCheckpoint;
  opening: StatedOpening;
  statuses: StatusReached[];
  events: StatedBy[];
}

/**
 * @param document as parsed from JSON; a response of the interface with the document in its `data` is taken too
 * @throws ProofRefused
 */
export function verifyProof(document: unknown, keys: readonly TrustedKey[]): ProvedTransaction {
  const proof = unwrapped(document);
  if (!isObject(proof) || proof['format'] !== PROOF_FORMAT) refuse(`it is no document of the form ${PROOF_FORMAT}`);
  const { transaction_id, checkpoint: note, events: listed } = proof;
  const checkpoint = verifyCheckpoint(String(note), keys);
  if (typeof checkpoint === 'string') refuse(`the checkpoint: ${checkpoint}`);
  if (!Array.isArray(listed) || listed.length === 0) refuse('it shows no events');
  const events = listed.map((event: unknown) => provenEvent(event, checkpoint));
  const opening = openingOf(events, transaction_id);
  checkGroups(events, opening.id);
  return { checkpoint, opening, statuses: statusesOf(events, opening.id), events };
}

function provenEvent(event: unknown, { origin, size, root }: VerifiedCheckpoint): StatedBy {
  if (!isObject(event)) refuse('an event is no object');
  const { position, statement: text } = event;
  if (typeof position !== 'number' || typeof text !== 'string') refuse('an event lacks its position or its statement');
  const { commitment, balance } = commitmentOf(event, position);
  const path = hashesOf(event['path']);
  if (!path) refuse(`position ${position}: its path is no list of hashes`);
  const leaf = ledgerLeaf(text, commitment);
  if (!isIncluded({ leaf, index: position - 1, size, path, root })) {
    refuse(`position ${position}: the event is not in the log of the checkpoint`);
  }
  return { statement: statementAt(text, position, shardOf(origin)), balance };
}

function commitmentOf({ balance, commitment }: Record<string, unknown>, position: number) {
  if (balance === undefined || balance === null) {
    const closed = hashOf(commitment);
    return closed ? { commitment: closed } : refuse(`position ${position}: neither a balance nor a commitment to it`);
  }
  const { after, salt } = isObject(balance) ? balance : {};
  const opened = hashOf(salt);
  if (typeof after !== 'string' || !opened) refuse(`position ${position}: its balance is incomplete`);
  return { commitment: balanceCommitment(after, opened), balance: after };
}
