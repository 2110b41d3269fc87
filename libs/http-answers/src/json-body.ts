import { isUtf8 } from 'node:buffer';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { findExcess, JsonBounds, JsonExcess } from './json-scan';

const DEPTH_MAX = 20;
/** No request without documents has a tenth of it. */
export const JSON_BOUNDS: JsonBounds = { depthMax: DEPTH_MAX, valuesMax: 1_000, namesMax: 1_000 };
/** A business with fifty owners and ten documents of each has fewer; it takes the event loop 12 ms. */
export const DOCUMENTS_JSON_BOUNDS: JsonBounds = { depthMax: DEPTH_MAX, valuesMax: 4_000, namesMax: 4_000 };

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/gi;

/** Whether a media type leaves the text in UTF-8: it names no other character set. */
export function isUtf8Type(mediaType = ''): boolean {
  return [...mediaType.matchAll(CHARSET)].every(([, charset]) => charset?.toLowerCase() === 'utf-8');
}

/**
 * The value of a JSON body, undefined for an empty one. It is parsed only if its bytes hold no more than `bounds` allow.
 * Names like `__proto__` come through as own properties, for the validation to refuse by name.
 */
export function parseJsonBody(bytes: Buffer, bounds: JsonBounds): unknown {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw new Refusal('malformed_json');
  const excess = findExcess(bytes, bounds);
  if (excess) throw refusalOf(excess, bounds);
  return parse(bytes.toString('utf8'));
}

function refusalOf(excess: JsonExcess, { depthMax, valuesMax, namesMax }: JsonBounds): Refusal {
  if (excess === 'depth') return Refusal.ofField('', 'too_deep', `must not nest deeper than ${depthMax}`);
  const most = excess === 'values' ? `${valuesMax} values` : `${namesMax} names of fields`;
  return Refusal.ofField('', 'too_many_values', `must not have more than ${most}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Refusal('malformed_json');
  }
}
