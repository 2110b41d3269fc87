import { createHmac, hkdfSync } from 'node:crypto';
import { openField, sealField } from '@stablecoin/personal-data/sealed-field';

type PeopleField = 'name' | 'email' | 'passkey-name' | 'reason';

const SIGN_IN_INFO = 'stablecoin/sign-in-rows/v1';
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

  constructor(private readonly key: Buffer) {
    this.signInKey = Buffer.from(hkdfSync('sha256', key, '', SIGN_IN_INFO, 32));
  }

  /**
   * The id of a row that signs somebody in, made of what it says: who may write the table and lacks the key writes no row that
   * signs in, nor the row of one member for another.
   */
  idOf({ table, tokenHash, memberId, expiresAt }: SignInRow): string {
    const said = [table, Buffer.from(tokenHash).toString('base64'), memberId, expiresAt.toISOString()];
    const bytes = createHmac('sha256', this.signInKey).update(JSON.stringify(said)).digest().subarray(0, UUID_BYTES);
    // Version 8 of RFC 9562: whatever its maker likes.
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }

  seal(ownerId: string, field: PeopleField, text: string): string {
    return sealField(this.key, ownerId, field, text);
  }

  open(ownerId: string, field: PeopleField, sealed: string): string {
    return openField(this.key, ownerId, field, sealed);
  }
}
