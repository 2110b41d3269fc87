/** AES-256 and HMAC-SHA-256 both take a key of so many. */
export const KEY_BYTES = 32;
