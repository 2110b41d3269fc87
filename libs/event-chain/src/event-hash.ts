import { hash } from 'node:crypto';

/** Before the first event of a shard there is nothing: 32 zero bytes. */
export const GENESIS_HASH: Buffer = Buffer.alloc(32);

const DOMAIN = Buffer.from('stablecoin-ledger-event/1\n');

/**
 * The hash of an event, version 1: SHA-256 over the domain line `stablecoin-ledger-event/1` and a line feed, the 32
 * bytes of the previous event's hash, and the event's text as it is stored, in UTF-8. The parts before the text have
 * fixed lengths, so no two different inputs read alike. Shard and position stand inside the text.
 */
export function eventHash(previous: Uint8Array, text: string): Buffer {
  return hash('sha256', Buffer.concat([DOMAIN, previous, Buffer.from(text)]), 'buffer');
}
