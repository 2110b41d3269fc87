import { createPublicKey, type JsonWebKey } from 'node:crypto';

/**
 * A passkey's public key as SubjectPublicKeyInfo (DER), from COSE (https://www.rfc-editor.org/rfc/rfc9053): with it anybody checks what
 * the passkey has signed.
 */
export async function subjectPublicKeyInfo(coseKey: Buffer): Promise<Buffer> {
  return createPublicKey({ key: await jwkOf(coseKey), format: 'jwk' }).export({ type: 'spki', format: 'der' });
}

/** One of the three kinds that the console lets devices make: ES256, EdDSA, RS256. */
async function jwkOf(coseKey: Buffer): Promise<JsonWebKey> {
  const { cose, decodeCredentialPublicKey } = await import('@simplewebauthn/server/helpers');
  const { COSEKEYS } = cose;
  const key = decodeCredentialPublicKey(new Uint8Array(coseKey));
  if (cose.isCOSEPublicKeyEC2(key))
    return { kty: 'EC', crv: 'P-256', x: text(key.get(COSEKEYS.x)), y: text(key.get(COSEKEYS.y)) };
  if (cose.isCOSEPublicKeyOKP(key)) return { kty: 'OKP', crv: 'Ed25519', x: text(key.get(COSEKEYS.x)) };
  if (cose.isCOSEPublicKeyRSA(key)) return { kty: 'RSA', n: text(key.get(COSEKEYS.n)), e: text(key.get(COSEKEYS.e)) };
  throw new Error('the passkey is of a kind that the console does not ask for');
}

const text = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('base64url');
