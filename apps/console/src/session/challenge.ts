/** Whether a challenge (base64url) is the 32 bytes of this hash (hex). */
export function challengeIs(challenge: unknown, hash: string): boolean {
  if (typeof challenge !== 'string' || !/^[\w-]{43}$/.test(challenge) || !/^[0-9a-f]{64}$/.test(hash)) return false;
  const bytes = atob(challenge.replaceAll('-', '+').replaceAll('_', '/'));
  const hex = Array.from(bytes, (letter) => letter.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  return hex === hash;
}
