import { hash } from 'node:crypto';

/** The previous hash of a shard's first event: 32 zero bytes. */
export const GENESIS_HASH: Buffer = Buffer.alloc(32);

const DOMAIN = Buffer.from('stablecoin-ledger-event/1\n');

/** The hash's input: domain, previous hash, text. Reused, because hashing is synchronous; longer texts get their own. */
const together = Buffer.alloc(16_384);
together.set(DOMAIN);
const TEXT_AT = DOMAIN.length + GENESIS_HASH.length;

/**
 * The hash of an event, version 1: SHA-256 over the domain line `stablecoin-ledger-event/1` and a line feed, the 32
 * bytes of the previous event's hash, and the event's text as it is stored, in UTF-8. The parts before the text have
 * fixed lengths, so different inputs give different bytes. Shard and position are part of the text.
 */
export function eventHash(previous: Uint8Array, text: string): Buffer {
  // UTF-8 takes at most three bytes per UTF-16 code unit.
  const isLong = TEXT_AT + text.length * 3 > together.length || previous.length !== GENESIS_HASH.length;
  if (isLong) return hash('sha256', Buffer.concat([DOMAIN, previous, Buffer.from(text)]), 'buffer');
  together.set(previous, DOMAIN.length);
  const end = TEXT_AT + together.write(text, TEXT_AT);
  // By way of a binary string: Node takes twice as long to return a hash as a buffer.
  return Buffer.from(hash('sha256', together.subarray(0, end), 'binary'), 'binary');
}
