import { KeyObject } from 'node:crypto';
import { deriveKeyPair, HpkeContext, HpkeKeyPair, hpkeOpen, hpkeSeal, publicKeyOf } from './hpke';
import { authenticatedData, PersonalDataUnreadable, strictBase64Url } from './sealed-bytes';

/**
 * An owner's sealing key: a pair that follows from the owner's data key. Who has the public half seals for this owner and opens
 * nothing, not even what it sealed itself. It ends with the data key: nothing else leads to the private half.
 *
 * Text: `h1.<the message's public key>.<ciphertext ‖ tag>`, both in base64url.
 */
const VERSION_TEXT = 'h1';
const INFO = 'stablecoin/sealing-key/v1';

const contextOf = (ownerId: string, field: string): HpkeContext => ({
  info: INFO,
  aad: authenticatedData(['field', ownerId, field]),
});

export const isSealedToKey = (sealed: string): boolean => sealed.startsWith(`${VERSION_TEXT}.`);

/** Seals for one owner: each value, as JSON, bound to owner and field name. */
export class SealingKey {
  private readonly key: KeyObject;

  /** @param publicKey as `PrivateSealingKey.publicKey` says it */
  constructor(
    readonly ownerId: string,
    publicKey: string,
  ) {
    this.key = publicKeyOf(Buffer.from(publicKey, 'base64url'));
  }

  seal(field: string, value: unknown): string {
    const { enc, body } = hpkeSeal(
      this.key,
      contextOf(this.ownerId, field),
      Buffer.from(JSON.stringify(value), 'utf8'),
    );
    return `${VERSION_TEXT}.${enc.toString('base64url')}.${body.toString('base64url')}`;
  }
}

/** The whole pair: opens what was sealed for the owner. */
export class PrivateSealingKey {
  private readonly pair: HpkeKeyPair;

  /** @param secret 32 bytes, used for nothing else */
  constructor(
    private readonly ownerId: string,
    secret: Buffer,
  ) {
    this.pair = deriveKeyPair(secret);
  }

  /** 32 bytes in base64url. */
  get publicKey(): string {
    return this.pair.publicKey.toString('base64url');
  }

  /** The JSON that was sealed. @throws PersonalDataUnreadable */
  open(field: string, sealed: string): string {
    const [version, enc, body, ...rest] = sealed.split('.');
    if (version !== VERSION_TEXT || enc === undefined || body === undefined || rest.length > 0) {
      throw new PersonalDataUnreadable();
    }
    const message = { enc: strictBase64Url(enc), body: strictBase64Url(body) };
    return hpkeOpen(this.pair, contextOf(this.ownerId, field), message).toString('utf8');
  }
}
