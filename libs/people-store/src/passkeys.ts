// Passkeys: the public half of a key whose private half never leaves a person's device. A device signs a challenge that was drawn
// here, within minutes, once, and for one purpose; what it says of itself is judged by the service (relying-party.ts).

import { randomBytes, randomUUID } from 'node:crypto';
import { arrayColumn } from '@stablecoin/persistence/columns';
import { TRANSACTION_LIMITS } from '@stablecoin/persistence/postgres';
import { Sql } from '@stablecoin/persistence/sql';
import { recordAct } from './acts';
import { PeopleDatabase } from './people-database';
import { PeopleSeal } from './people-seal';
import { Place, Session, Sessions } from './sessions';
import { hashOf, tokenHash } from './tokens';

const CHALLENGE_BYTES = 32;
export const CHALLENGE_MINUTES = 5;
const OF_PERSON_MAX = 20;

/** A challenge of a session is answered within the same one. */
export type Purpose = { is: 'sign-in' } | { is: 'registration' | 'step-up'; session: Session };

/** What is known of a passkey to ask for it, and to judge what it signs. */
export interface Passkey {
  id: string;
  person_id: string;
  credential_id: Buffer;
  public_key: Buffer;
  uses: number;
  transports: string[];
}

export interface NewPasskey extends Omit<Passkey, 'id' | 'person_id'> {
  name: string;
}

/** A passkey that has signed a challenge. */
export interface PasskeyUse {
  passkey: Passkey;
  /** As the device counts. */
  uses: number;
}

export interface PasskeyView {
  passkey_id: string;
  name: string;
  created_at: Date;
  last_used_at: Date | null;
}

type PasskeyRow = Omit<Passkey, 'uses'> & { uses: bigint };

export class Passkeys {
  constructor(
    private readonly database: PeopleDatabase,
    private readonly seal: PeopleSeal,
    private readonly sessions: Sessions,
  ) {}

  /** @returns base64url, of 256 random bits */
  async drawChallenge(purpose: Purpose): Promise<string> {
    const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url');
    await this.database.sql.$executeRaw`
      INSERT INTO challenges (hash, purpose, session_id, expires_at)
      VALUES (${hashOf(challenge)}, ${purpose.is}, ${sessionOf(purpose)}::uuid,
        clock_timestamp() + ${CHALLENGE_MINUTES}::int * interval '1 minute')`;
    return challenge;
  }

  /** Uses it up, whatever comes of the answer. False for one that was not drawn for this, was answered before, or is too old. */
  async takeChallenge(challenge: string, purpose: Purpose): Promise<boolean> {
    const hash = tokenHash(challenge);
    if (!hash) return false;
    const taken = await this.database.sql.$executeRaw`
      UPDATE challenges SET used_at = clock_timestamp()
      WHERE hash = ${hash} AND purpose = ${purpose.is} AND session_id IS NOT DISTINCT FROM ${sessionOf(purpose)}::uuid
        AND used_at IS NULL AND expires_at > clock_timestamp()`;
    return taken === 1;
  }

  async ofPerson({ person_id }: Pick<Session, 'person_id'>): Promise<Passkey[]> {
    const rows = await this.database.sql.$queryRaw<PasskeyRow[]>`
      SELECT id::text, person_id::text, credential_id, public_key, uses, transports FROM passkeys
      WHERE person_id = ${person_id}::uuid AND removed_at IS NULL ORDER BY created_at, id`;
    return rows.map(passkeyOf);
  }

  /** Undefined for one that was removed. */
  async find(credentialId: Buffer): Promise<Passkey | undefined> {
    const [row] = await this.database.sql.$queryRaw<PasskeyRow[]>`
      SELECT id::text, person_id::text, credential_id, public_key, uses, transports FROM passkeys
      WHERE credential_id = ${credentialId} AND removed_at IS NULL`;
    return row && passkeyOf(row);
  }

  async list({ person_id }: Pick<Session, 'person_id'>): Promise<PasskeyView[]> {
    const rows = await this.database.sql.$queryRaw<(Omit<PasskeyView, 'name'> & { sealed_name: string })[]>`
      SELECT id::text AS passkey_id, sealed_name, created_at, last_used_at FROM passkeys
      WHERE person_id = ${person_id}::uuid AND removed_at IS NULL ORDER BY created_at, id`;
    return rows.map(({ sealed_name, passkey_id, ...row }) => ({
      passkey_id,
      name: this.seal.open(passkey_id, 'passkey-name', sealed_name),
      ...row,
    }));
  }

  /** To the person of the session. */
  async add({ name, ...made }: NewPasskey, session: Session): Promise<PasskeyView | 'known' | 'too_many'> {
    return this.database.sql.$transaction(async (sql) => {
      await sql.$queryRaw`
        SELECT 1 FROM pg_advisory_xact_lock(hashtextextended('passkeys:' || ${session.person_id}::text, 0))`;
      const [{ count } = { count: 0 }] = await sql.$queryRaw<{ count: number }[]>`
        SELECT count(*)::int FROM passkeys WHERE person_id = ${session.person_id}::uuid AND removed_at IS NULL`;
      if (count >= OF_PERSON_MAX) return 'too_many';
      const id = randomUUID();
      const [row] = await sql.$queryRaw<Pick<PasskeyView, 'created_at' | 'last_used_at'>[]>`
        INSERT INTO passkeys (id, person_id, credential_id, public_key, uses, transports, sealed_name)
        VALUES (${id}::uuid, ${session.person_id}::uuid, ${made.credential_id}, ${made.public_key}, ${made.uses},
          ${arrayColumn(made.transports)}::text[], ${this.seal.seal(id, 'passkey-name', name)})
        ON CONFLICT (credential_id) DO NOTHING RETURNING created_at, last_used_at`;
      if (!row) return 'known';
      await recordAct(sql, { action: 'passkey-added', details: { passkey_id: id } }, session);
      return { passkey_id: id, name, ...row };
    }, TRANSACTION_LIMITS);
  }

  /** Of the person of the session. False for one that is not there. */
  async remove(passkeyId: string, session: Session): Promise<boolean> {
    return this.database.sql.$transaction(async (sql) => {
      const removed = await sql.$executeRaw`
        UPDATE passkeys SET removed_at = clock_timestamp()
        WHERE id = ${passkeyId}::uuid AND person_id = ${session.person_id}::uuid AND removed_at IS NULL`;
      if (removed === 0) return false;
      await recordAct(sql, { action: 'passkey-removed', details: { passkey_id: passkeyId } }, session);
      return true;
    }, TRANSACTION_LIMITS);
  }

  /** Begins a session of the person's; undefined where the passkey is not to be trusted, or its person is no member any more. */
  signIn(use: PasskeyUse, place: Place): Promise<string | undefined> {
    return this.used(use, (sql) => this.sessions.beginByPasskey(sql, use.passkey.person_id, use.passkey.id, place));
  }

  /** The session stands for its person for some minutes; false where the passkey is not to be trusted. */
  async stepUp(use: PasskeyUse, session: Session): Promise<boolean> {
    const done = await this.used(use, async (sql) => {
      await this.sessions.stepUpByPasskey(sql, session, use.passkey.id);
      return true;
    });
    return done ?? false;
  }

  /**
   * Does it in the transaction that counts the use; undefined where the passkey is not to be trusted. A device that counts its uses has
   * counted on since the last one: where it has not, two devices have the same key.
   */
  used<Done>({ passkey, uses }: PasskeyUse, then: (sql: Sql) => Promise<Done | undefined>): Promise<Done | undefined> {
    return this.database.sql.$transaction(async (sql) => {
      const counted = await sql.$executeRaw`
        UPDATE passkeys SET uses = ${uses}, last_used_at = clock_timestamp()
        WHERE id = ${passkey.id}::uuid AND removed_at IS NULL AND (uses < ${uses} OR (uses = 0 AND ${uses} = 0))`;
      if (counted === 1) return then(sql);
      await recordAct(sql, { action: 'passkey-refused', details: { passkey_id: passkey.id, uses } }, passkey);
      return undefined;
    }, TRANSACTION_LIMITS);
  }

  /** Resolves to how many. */
  forgetExpiredChallenges(limit: number): Promise<number> {
    return this.database.sql.$executeRaw`
      DELETE FROM challenges WHERE hash IN (
        SELECT hash FROM challenges WHERE expires_at < clock_timestamp() LIMIT ${limit}::int FOR UPDATE SKIP LOCKED)`;
  }
}

const sessionOf = (purpose: Purpose): string | null => (purpose.is === 'sign-in' ? null : purpose.session.session_id);

const passkeyOf = ({ uses, credential_id, public_key, ...row }: PasskeyRow): Passkey => ({
  ...row,
  credential_id: Buffer.from(credential_id),
  public_key: Buffer.from(public_key),
  uses: Number(uses),
});
