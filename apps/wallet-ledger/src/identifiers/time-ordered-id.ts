import { randomFillSync } from 'node:crypto';

const ID_BYTES = 16;
/** Random bytes for 256 ids at once: a call for each id would cost more than the rest of it. */
const pool = Buffer.alloc(ID_BYTES * 256);
let used = pool.length;

/**
 * A UUID of version 7 (RFC 9562): 48 bits of Unix time in milliseconds, then random bits. New ids are neighbours in an
 * index; ids that are random as a whole would touch a page of their own each.
 */
export function timeOrderedId(now: number = Date.now()): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const bytes = pool.subarray(used, used + ID_BYTES);
  used += ID_BYTES;
  bytes.writeUIntBE(now, 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
