import { randomInt } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** A short name for people: 10 characters A–Z 0–9. Drawn, so that it tells nothing of how many there are. */
export function drawSerialNumber(): string {
  return Array.from({ length: 10 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
