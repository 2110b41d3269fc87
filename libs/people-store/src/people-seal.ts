import { createHmac, hkdfSync } from 'node:crypto';
import { openField, sealField } from '@stablecoin/personal-data/sealed-field';

type PeopleField = 'name' | 'email' | 'passkey-name' | 'reason' | 'order';

const SIGN_IN_INFO = 'stablecoin/sign-in-rows/v1';
const IDENTITY_INFO = 'stablecoin/identities/v1';
const UUID_BYTES = 16;

/** What signs somebody in: whose it is, and until when. */
export interface SignInRow {
  table: 'links' | 'sessions';
  tokenHash: Uint8Array;
  memberId: string;
  expiresAt: Date;
}

/** Seals what is known of people, each value for the one that it belongs to; and knows what the service itself has written. */
export class PeopleSeal {
  private readonly signInKey: Buffer;
  private readonly identityKey: Buffer;

  constructor(private readonly key: Buffer) {
    this.signInKey = Buffer.from(hkdfSync('sha256', key, '', SIGN_IN_INFO, 32));
    this.identityKey = Buffer.from(hkdfSync('sha256', key, '', IDENTITY_INFO, 32));
  }

  /**
   * The id of a row that signs somebody in, made of what it says: who may write the table and lacks the key writes no row that
   * signs in, nor the row of one member for another.
   */
  idOf({ table, tokenHash, memberId, expiresAt }: SignInRow): string {
    const said = [table, Buffer.from(tokenHash).toString('base64'), memberId, expiresAt.toISOString()];
    return uuidOf(keyedHash(this.signInKey, said));
  }

  /** What is kept of an account at a provider, and looked up. */
  accountHash(issuer: string, subject: string): Buffer {
    return keyedHash(this.identityKey, ['account', issuer, subject]);
  }

  /** Made like `idOf`: who may write the table and lacks the key ties no account to a person. */
  identityIdOf(accountHash: Uint8Array, personId: string, createdAt: Date): string {
    const said = ['identity', Buffer.from(accountHash).toString('base64'), personId, createdAt.toISOString()];
    return uuidOf(keyedHash(this.identityKey, said));
  }

  /** Of a way to the provider and back, for the session that it began in, if it did in one. */
  wayHash(token: string, sessionId: string | null): Buffer {
    return keyedHash(this.identityKey, ['way', token, sessionId]);
  }

  seal(ownerId: string, field: PeopleField, text: string): string {
    return sealField(this.key, ownerId, field, text);
  }

  open(ownerId: string, field: PeopleField, sealed: string): string {
    return openField(this.key, ownerId, field, sealed);
  }
}

const keyedHash = (key: Buffer, said: readonly (string | null)[]): Buffer =>
  createHmac('sha256', key).update(JSON.stringify(said)).digest();

function uuidOf(hash: Buffer): string {
  const bytes = hash.subarray(0, UUID_BYTES);
  // Version 8 of RFC 9562: whatever its maker likes.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
