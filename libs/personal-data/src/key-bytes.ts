/** The key length of both AES-256 and HMAC-SHA-256. */
export const KEY_BYTES = 32;
