/**
 * What a passkey has signed: https://www.w3.org/TR/webauthn-3/#sctn-verifying-assertion, as far as it can be judged without knowing the
 * page. The device signs
 *
 *   authenticator data ‖ SHA-256(client data)
 *
 * where the client data is JSON with the challenge, and a flag of the authenticator data says that the device saw that it is its person.
 */
import { createHash, createPublicKey, verify } from 'node:crypto';

/** Each in base64. */
export interface DeviceSignature {
  /** SubjectPublicKeyInfo, DER. */
  public_key: string;
  client_data: string;
  authenticator_data: string;
  signature: string;
}

/** Where the flags stand, behind the hash of the host's name. */
const FLAGS_AT = 32;
const AUTHENTICATOR_DATA_BYTES_MIN = 37;
const PERSON_PRESENT = 0x01;
const PERSON_VERIFIED = 0x04;

/** Whether a device, which saw that it was its person, has signed this challenge. */
export function isSignedByDevice(signed: DeviceSignature, challenge: Buffer): boolean {
  const [clientData, authenticatorData] = [bytes(signed.client_data), bytes(signed.authenticator_data)];
  return (
    isChallengedBy(clientData, challenge) &&
    sawItsPerson(authenticatorData) &&
    isSignature(Buffer.concat([authenticatorData, createHash('sha256').update(clientData).digest()]), signed)
  );
}

function isChallengedBy(clientData: Buffer, challenge: Buffer): boolean {
  try {
    const said = JSON.parse(clientData.toString()) as { type?: unknown; challenge?: unknown } | null;
    return said?.type === 'webauthn.get' && said.challenge === challenge.toString('base64url');
  } catch {
    return false;
  }
}

function sawItsPerson(authenticatorData: Buffer): boolean {
  const flags = authenticatorData.length < AUTHENTICATOR_DATA_BYTES_MIN ? 0 : authenticatorData.readUInt8(FLAGS_AT);
  return (flags & PERSON_PRESENT) !== 0 && (flags & PERSON_VERIFIED) !== 0;
}

/** ES256, EdDSA or RS256, by the kind of the key. */
function isSignature(data: Buffer, { public_key, signature }: DeviceSignature): boolean {
  try {
    const key = createPublicKey({ key: bytes(public_key), format: 'der', type: 'spki' });
    return verify(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', data, key, bytes(signature));
  } catch {
    return false;
  }
}

const bytes = (text: unknown): Buffer => Buffer.from(typeof text === 'string' ? text : '', 'base64');
