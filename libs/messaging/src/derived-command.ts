import { createHash } from 'node:crypto';

/**
 * Id and input hash of a command that a process sends on its own account. Both are derived, never drawn, so that the
 * command can be sent again after a crash, by another instance too, and still takes effect once.
 *
 * @param name what is done to what, e.g. `post-swap:<quote id>`
 */
export function derivedCommand(name: string, terms: object): { command_id: string; input_hash: string } {
  return { command_id: derivedUuid(name), input_hash: sha256(JSON.stringify(terms)) };
}

/** A UUID of version 8 (RFC 9562) made of the parts' SHA-256; as JSON, so that no two lists of parts read the same. */
export function derivedUuid(...parts: string[]): string {
  const bytes = createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
