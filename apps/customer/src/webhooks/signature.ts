import { createHmac, randomBytes } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** The signed parts, which the headers repeat: Standard Webhooks 1.0.0, symmetric signatures. */
export interface SignedMessage {
  id: string;
  /** Seconds since 1970 of this attempt. */
  timestamp: number;
  body: string;
}

export function drawSecret(): string {
  return `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** `v1,` and the signature, once per secret, separated by spaces: a receiver checks the one whose secret it has. */
export function signaturesOf(message: SignedMessage, secrets: readonly string[]): string {
  return secrets.map((secret) => `v1,${signature(message, secret)}`).join(' ');
}

function signature({ id, timestamp, body }: SignedMessage, secret: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
}
