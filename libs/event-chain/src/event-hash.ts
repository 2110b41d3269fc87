import { hash } from 'node:crypto';

/** Before the first event of a shard there is nothing: 32 zero bytes. */
export const GENESIS_HASH: Buffer = Buffer.alloc(32);

const DOMAIN = Buffer.from('stablecoin-ledger-event/1\n');

/** Domain and hash before, and room for the text of any usual event: each use ends before the next one begins. */
const together = Buffer.alloc(16_384);
together.set(DOMAIN);
const TEXT_AT = DOMAIN.length + GENESIS_HASH.length;

/**
 * The hash of an event, version 1: SHA-256 over the domain line `stablecoin-ledger-event/1` and a line feed, the 32
 * bytes of the previous event's hash, and the event's text as it is stored, in UTF-8. The parts before the text have
 * fixed lengths, so no two different inputs read alike. Shard and position stand inside the text.
 */
export function eventHash(previous: Uint8Array, text: string): Buffer {
  // No character takes more than three bytes for each of its units.
  const isLong = TEXT_AT + text.length * 3 > together.length || previous.length !== GENESIS_HASH.length;
  if (isLong) return hash('sha256', Buffer.concat([DOMAIN, previous, Buffer.from(text)]), 'buffer');
  together.set(previous, DOMAIN.length);
  const end = TEXT_AT + together.write(text, TEXT_AT);
  // As a string the hash costs half of what it does as memory of its own.
  return Buffer.from(hash('sha256', together.subarray(0, end), 'binary'), 'binary');
}
