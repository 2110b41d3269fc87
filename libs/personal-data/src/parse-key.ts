export const KEY_BYTES = 32;

/** Standard or URL-safe alphabet, with its padding or without. */
const BASE64_PATTERN = /^[A-Za-z0-9+/_-]+={0,2}$/;

/**
 * A 256-bit key from configuration: base64 or base64url of exactly 32 bytes.
 *
 * Throws an Error that doesn't repeat the text. Node's decoder skips what it can't read, so a mistyped key would become
 * another, shorter one; hence the check of the alphabet and of the length.
 */
export function parseKey(base64: string): Buffer {
  const key = BASE64_PATTERN.test(base64) ? Buffer.from(base64, 'base64') : undefined;
  if (key?.length !== KEY_BYTES) {
    throw new Error(`A key must be base64 of exactly ${KEY_BYTES} bytes (make one with: openssl rand -base64 32)`);
  }
  return key;
}
