export type CanonicalValue =
  string | number | boolean | null | undefined | readonly CanonicalValue[] | { readonly [key: string]: CanonicalValue };

/**
 * JSON with one spelling per value, after RFC 8785: no white space, keys in the order of their UTF-16 code units,
 * strings as JSON.stringify writes them. Numbers are whole and safe; everything with a fraction is text already.
 * Fields that are undefined are left out.
 *
 * @throws TypeError for a number that is not a safe integer, and for text with lone surrogates
 */
export function canonicalText(value: CanonicalValue): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new TypeError(`${value} is not a safe integer`);
    return String(value);
  }
  if (typeof value === 'boolean' || value === null || value === undefined) return String(value ?? null);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  const object = value as { readonly [key: string]: CanonicalValue };
  let members = '';
  for (const key of Object.keys(object).sort()) {
    const member = object[key];
    if (member !== undefined) members += `${members && ','}${quoted(key)}:${canonicalText(member)}`;
  }
  return `{${members}}`;
}

/** Printable ASCII but for the quotation mark and the backslash: what JSON writes as it is. */
const PLAIN = /^[ !#-[\]-~]*$/;

function quoted(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  if (!text.isWellFormed()) throw new TypeError('text with a lone surrogate has no canonical form');
  return JSON.stringify(text);
}
