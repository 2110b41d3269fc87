import { createCipheriv, createDecipheriv, randomFillSync } from 'node:crypto';

/**
 * JSON, sealed with the bus's own key (AES-256-GCM), so that neither the broker nor anyone who listens on it reads
 * personal data. The subject is authenticated too: a message can't be replayed on another subject. While keys are
 * changed, a second key opens messages as well: a message doesn't say which key it is sealed with, and only that key
 * opens it.
 *
 * Layout: version byte 1, 12 bytes nonce, 16 bytes tag, ciphertext.
 */
export class SealedCodec {
  private nonces = Buffer.alloc(0);
  private nextNonce = 0;

  /**
   * @param key 32 bytes, seals and opens
   * @param accepted another key of 32 bytes, that opens only
   */
  constructor(
    private readonly key: Buffer,
    private readonly accepted: Buffer | null = null,
  ) {
    for (const each of accepted ? [key, accepted] : [key])
      if (each.length !== 32) throw new Error('BUS_KEY and BUS_ACCEPTED_KEY must be 32 bytes in base64');
  }

  encode(subject: string, value: unknown): Uint8Array {
    const nonce = this.freshNonce();
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce);
    cipher.setAAD(Buffer.from(subject));
    const body = cipher.update(JSON.stringify(value), 'utf8');
    cipher.final();
    return Buffer.concat([VERSION, nonce, cipher.getAuthTag(), body]);
  }

  /** @throws when the message was sealed with neither key for this subject, or isn't JSON */
  decode(subject: string, message: Uint8Array): unknown {
    const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
    if (bytes.length < 29 || bytes[0] !== 1) throw new Error('not a sealed message');
    const text = open(this.key, subject, bytes) ?? open(this.accepted, subject, bytes);
    if (text === undefined) throw new Error('sealed with no key that is accepted here');
    return JSON.parse(text) as unknown;
  }

  /** Random nonces are drawn by the thousand: one call of the generator per message would cost more than the cipher. */
  private freshNonce(): Buffer {
    if (this.nextNonce >= this.nonces.length) {
      this.nonces = randomFillSync(Buffer.allocUnsafe(12 * 1024));
      this.nextNonce = 0;
    }
    return this.nonces.subarray(this.nextNonce, (this.nextNonce += 12));
  }
}

const VERSION = Buffer.from([1]);

/** Undefined without a key, and when it was sealed with another key or for another subject, or was changed. */
function open(key: Buffer | null, subject: string, bytes: Buffer): string | undefined {
  if (!key) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(1, 13), { authTagLength: 16 });
  decipher.setAAD(Buffer.from(subject));
  decipher.setAuthTag(bytes.subarray(13, 29));
  const text = decipher.update(bytes.subarray(29), undefined, 'utf8');
  try {
    return text + decipher.final('utf8');
  } catch {
    return undefined;
  }
}
