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

export function derivedUuid(name: string): string {
  const hex = sha256(name);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
