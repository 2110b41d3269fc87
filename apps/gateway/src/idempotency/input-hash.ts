import { createHmac } from 'node:crypto';
import { canonicalJson } from './canonical-json';

/** A keyed hash: bodies hold personal data with few possible values, which could be guessed from a plain hash. */
export function inputHashOf(key: Uint8Array, body: unknown): string {
  return createHmac('sha256', key)
    .update(canonicalJson(body ?? {}))
    .digest('hex');
}
