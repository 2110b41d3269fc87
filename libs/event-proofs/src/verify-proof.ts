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
import { hashesOf, hashOf, isObject, PROOF_FORMAT, unwrapped } from './proof-documents';
import { TrustedKey } from './signed-note';
import { readStatement, StatedOpening, Statement, unitsOf } from './statement';

export interface ProvedTransaction {
  checkpoint: VerifiedCheckpoint;
  opening: StatedOpening;
  statuses: { status: string; recorded_at: string; position: number }[];
  /** `balance` where the document shows it. */
  events: { statement: Statement; balance?: string }[];
}

/** One sentence on why a document proves nothing. */
export class ProofRefused extends Error {}

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

type Proven = ProvedTransaction['events'][number];

function provenEvent(event: unknown, { origin, size, root }: VerifiedCheckpoint): Proven {
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
  const statement = readStatement(text);
  if (!statement) refuse(`position ${position}: the statement is not as the ledger writes events`);
  if (statement.position !== position || statement.shard !== shardOf(origin)) {
    refuse(`position ${position}: the event says that it stands elsewhere`);
  }
  return { statement, balance };
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

/** The transaction as its first event states it. */
function openingOf(events: readonly Proven[], transactionId: unknown): StatedOpening {
  const openings = events.flatMap(({ statement }) => statement.event.opens ?? []);
  const opening = openings.find((opened) => opened.transaction_id === transactionId);
  return opening ?? refuse('the event that opened the transaction is not among its events');
}

function checkGroups(events: readonly Proven[], id: string): void {
  const groups = new Map<number, Statement[]>();
  let last = 0;
  for (const { statement } of events) {
    if (statement.position <= last) refuse(`position ${statement.position}: the events are not in their order`);
    last = statement.position;
    groups.set(statement.group, [...(groups.get(statement.group) ?? []), statement]);
  }
  for (const [start, group] of groups) {
    if (group.some(({ position }, index) => position !== start + index)) refuse(`group ${start}: it is not whole`);
    if (!group.some(({ event }) => event.transaction === id)) refuse(`group ${start}: it is of another transaction`);
    checkBalanced(start, group);
  }
}

function checkBalanced(start: number, group: readonly Statement[]): void {
  const sums = new Map<string, bigint>();
  for (const { event } of group) {
    if (event.type === 'TransactionStatusChanged') continue;
    const units = unitsOf(event.amount) ?? 0n;
    sums.set(event.currency, (sums.get(event.currency) ?? 0n) + (event.type === 'DebitPosted' ? -units : units));
  }
  for (const [currency, sum] of sums) {
    if (sum !== 0n) refuse(`group ${start}: its debits and credits of ${currency} differ`);
  }
}

/** A debit that opens the transaction makes it PENDING; every other step is an event that names the status before. */
function statusesOf(events: readonly Proven[], id: string): ProvedTransaction['statuses'] {
  const statuses: ProvedTransaction['statuses'] = [];
  for (const { statement } of events) {
    const { event, recorded_at, position } = statement;
    const before = statuses.at(-1)?.status ?? null;
    if (event.type !== 'TransactionStatusChanged') {
      if (event.opens?.id === id) statuses.push({ status: 'PENDING', recorded_at, position });
    } else if (event.transaction === id) {
      if (event.from !== before) refuse(`position ${position}: the status before ${event.to} is missing`);
      statuses.push({ status: event.to, recorded_at, position });
    }
  }
  return statuses;
}

function refuse(why: string): never {
  throw new ProofRefused(why);
}
