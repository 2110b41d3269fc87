/** Bytes as browsers have them. Texts that could be written in two ways are refused: one text per value. */
export type Bytes = Uint8Array<ArrayBuffer>;

export function fromHex(text: unknown): Bytes | undefined {
  if (typeof text !== 'string' || !/^[0-9a-f]{64}$/.test(text)) return undefined;
  return Uint8Array.from({ length: 32 }, (_, place) => parseInt(text.slice(place * 2, place * 2 + 2), 16));
}

export const toHex = (bytes: Bytes): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

export function fromBase64(text: string): Bytes | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 !== 0) return undefined;
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return toBase64(bytes) === text ? bytes : undefined;
}

export const toBase64 = (bytes: Bytes): string => btoa(String.fromCharCode(...bytes));

export function joined(...parts: readonly (Bytes | string)[]): Bytes {
  const pieces = parts.map((part) => (typeof part === 'string' ? new TextEncoder().encode(part) : part));
  const all = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let end = 0;
  for (const piece of pieces) {
    all.set(piece, end);
    end += piece.length;
  }
  return all;
}

export const areEqual = (one: Bytes, other: Bytes): boolean =>
  one.length === other.length && one.every((byte, place) => byte === other[place]);

export const sha256 = async (...parts: readonly (Bytes | string)[]): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', joined(...parts)));
