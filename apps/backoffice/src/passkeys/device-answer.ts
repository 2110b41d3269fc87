import { DeviceSignature } from '@stablecoin/command-proofs/device-signature';
import { Refusal } from '@stablecoin/contracts/wire/refusal';

/** What a device answered, as a browser prints it: https://www.w3.org/TR/webauthn-3/#sctn-public-key-easy. */
export interface DeviceAnswer {
  /** Of the passkey, as the device names it. */
  credentialId: Buffer;
  /** What it says that it has signed: to be looked up, and then held against what it has signed. */
  challenge: string;
  json: object;
}

/**
 * A request's `response`, and the rest of its fields. A browser may add what it likes to it, so no class names its fields: the
 * library judges those that it needs.
 *
 * @throws Refusal where it has not the form of an answer
 */
export function readAnswer(body: unknown): { answer: DeviceAnswer; fields: object } {
  const { response: json, ...fields } = isObject(body) ? body : {};
  const answer = isObject(json) ? answerIn(json) : undefined;
  if (answer === undefined) throw Refusal.ofField('response', 'invalid_object', "must be a device's answer");
  return { answer, fields };
}

function answerIn(json: Record<string, unknown>): DeviceAnswer | undefined {
  const { id, response } = json;
  const signed = isObject(response) ? response['clientDataJSON'] : undefined;
  const challenge = typeof signed === 'string' ? challengeIn(signed) : undefined;
  if (typeof id !== 'string' || challenge === undefined) return undefined;
  return { credentialId: Buffer.from(id, 'base64url'), challenge, json };
}

/** More than devices and browsers say, and little enough to be kept for ever. */
const SIGNED_BYTES_MAX = 4_096;

/** What the device has signed, and its signature, in base64; undefined where it is more than any device says. */
export function signedIn({ json }: DeviceAnswer): Omit<DeviceSignature, 'public_key'> | undefined {
  const { response } = json as { response?: unknown };
  const [client_data, authenticator_data, signature] = SIGNED_PARTS.map((name) => {
    const text = isObject(response) ? response[name] : undefined;
    return typeof text === 'string' ? Buffer.from(text, 'base64url') : Buffer.alloc(SIGNED_BYTES_MAX + 1);
  }) as [Buffer, Buffer, Buffer];
  if ([client_data, authenticator_data, signature].some(({ length }) => length > SIGNED_BYTES_MAX)) return undefined;
  return {
    client_data: client_data.toString('base64'),
    authenticator_data: authenticator_data.toString('base64'),
    signature: signature.toString('base64'),
  };
}

const SIGNED_PARTS = ['clientDataJSON', 'authenticatorData', 'signature'] as const;

function challengeIn(clientData: string): string | undefined {
  try {
    const said: unknown = JSON.parse(Buffer.from(clientData, 'base64url').toString());
    const challenge = isObject(said) ? said['challenge'] : undefined;
    return typeof challenge === 'string' ? challenge : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
