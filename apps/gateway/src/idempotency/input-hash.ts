import { createHmac } from 'node:crypto';
import { canonicalJson } from './canonical-json';

/** A keyed hash: bodies hold personal data with few possible values, which could be guessed from a plain hash. */
export function inputHashOf(key: Uint8Array, body: unknown): string {
  return createHmac('sha256', key)
    .update(canonicalJson(withoutIdleDryRun(body ?? {})))
    .digest('hex');
}

/** A body that says `dry_run: false` is the same request as one that says nothing of it. */
function withoutIdleDryRun(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('dry_run' in body)) return body;
  const { dry_run, ...others } = body;
  return dry_run === false || dry_run === null ? others : body;
}
