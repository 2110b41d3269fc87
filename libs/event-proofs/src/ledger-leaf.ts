/**
 * How an event of the ledger becomes a leaf. The leaf binds every byte of the event, and still the event can be shown
 * without its account's balance: the other side of a merchant's posting is an account of the house, whose balance
 * sums the business of all merchants. So the text is split into the balance and the statement, which is the rest of the
 * text, and the leaf holds the statement and a commitment to the balance.
 *
 *   salt       = SHA-256("stablecoin-ledger-salt/1\n" ‖ hash of the event in its chain)
 *   commitment = SHA-256("stablecoin-ledger-balance/1\n" ‖ salt ‖ balance as it is written in the event)
 *   leaf data  = "stablecoin-ledger-leaf/1\n" ‖ commitment ‖ statement
 *
 * The salt keeps a balance from being guessed. It is no secret to a holder of the log, who can compute it; but a hash of the
 * chain must never be shown to a merchant, because with it the balance in the next event could be found by trial.
 */
import { Hash, leafHash, sha256 } from './merkle-tree';

const SALT_DOMAIN = 'stablecoin-ledger-salt/1\n';
const BALANCE_DOMAIN = 'stablecoin-ledger-balance/1\n';
const LEAF_DOMAIN = 'stablecoin-ledger-leaf/1\n';

/**
 * In canonical text a quote inside a string is escaped, so this pattern matches only at a member's name. No event has a
 * second balance, nor one as its first member.
 */
const BALANCE = /,"balance_after":"([^"]*)"/;

export interface OpenedEvent {
  /** The event's text without its balance. */
  statement: string;
  /** Empty where the event has none. */
  balance: string;
  /** 32 bytes. */
  salt: Buffer;
}

/**
 * @param text the event's canonical text, as it is stored
 * @param hash of the event in its chain
 */
export function openEvent(text: string, hash: Uint8Array): OpenedEvent {
  const [member = '', balance = ''] = BALANCE.exec(text) ?? [];
  const statement = text.replace(member, '');
  const salt = sha256(SALT_DOMAIN, hash);
  return { statement, balance, salt };
}

export function balanceCommitment(balance: string, salt: Uint8Array): Hash {
  return sha256(BALANCE_DOMAIN, salt, balance);
}

export function ledgerLeaf(statement: string, commitment: Uint8Array): Hash {
  return leafHash(LEAF_DOMAIN, commitment, statement);
}

/** The leaf of an event as it is stored in the log. */
export function leafOfEvent(text: string, hash: Uint8Array): Hash {
  const { statement, balance, salt } = openEvent(text, hash);
  return ledgerLeaf(statement, balanceCommitment(balance, salt));
}
