import { isUtf8 } from 'node:buffer';
import { Refusal } from '@stablecoin/contracts/wire/refusal';

const DEPTH_MAX = 20;

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/gi;

/** Whether a media type leaves the text in UTF-8: it names no other character set. */
export function isUtf8Type(mediaType = ''): boolean {
  return [...mediaType.matchAll(CHARSET)].every(([, charset]) => charset?.toLowerCase() === 'utf-8');
}

/**
 * The value of a JSON body, undefined for an empty one. Names like `__proto__` come through as own properties, for the
 * validation to refuse by name.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw new Refusal('malformed_json');
  const value = parse(bytes.toString('utf8'));
  if (isDeeperThan(DEPTH_MAX, value)) {
    throw Refusal.ofField('', 'too_deep', `must not nest deeper than ${DEPTH_MAX}`);
  }
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Refusal('malformed_json');
  }
}

/** Level by level, so that no nesting, however deep, exhausts the stack. */
function isDeeperThan(depth: number, value: unknown): boolean {
  let level = [value].filter(isContainer);
  for (let reached = 0; level.length > 0; reached += 1) {
    if (reached === depth) return true;
    level = level.flatMap((container) => Object.values(container).filter(isContainer));
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
