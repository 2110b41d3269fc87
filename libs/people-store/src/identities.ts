// Accounts at the identity provider, each of one person. One is tied to a person within a session of that person's, and to no person by
// what the provider says of names or addresses. A browser that goes to the provider takes a secret along in a cookie, of which the
// database has a hash: it is used up when the browser comes back, whatever comes of it.

import { TRANSACTION_LIMITS } from '@stablecoin/persistence/postgres';
import { Sql } from '@stablecoin/persistence/sql';
import { ActingMember, recordAct } from './acts';
import { PeopleDatabase } from './people-database';
import { PeopleSeal } from './people-seal';
import { Place, Session, Sessions } from './sessions';
import { drawToken } from './tokens';

/** Signing in there may take a second factor. */
export const WAY_MINUTES = 10;
const COOKIE = /^([A-Za-z0-9_-]{43})(?:\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}))?$/;

/** Whom the provider vouches for: its own name for the person, which it gives to no other. */
export interface ProviderAccount {
  issuer: string;
  subject: string;
}

/** A way to the provider and back. */
export interface ProviderWay {
  token: string;
  /** The session in which an account is connected; null where one is to begin. */
  session_id: string | null;
}

export interface IdentityView {
  created_at: Date;
  last_used_at: Date | null;
}

interface IdentityRow {
  id: string;
  person_id: string;
  account_hash: Uint8Array;
  created_at: Date;
}

export class Identities {
  constructor(
    private readonly database: PeopleDatabase,
    private readonly seal: PeopleSeal,
    private readonly sessions: Sessions,
  ) {}

  /** @returns the way, and what the browser's cookie says of it */
  async beginWay(session: Pick<Session, 'session_id'> | null): Promise<{ way: ProviderWay; cookie: string }> {
    const way = { token: drawToken(), session_id: session?.session_id ?? null };
    await this.database.sql.$executeRaw`
      INSERT INTO challenges (hash, purpose, session_id, expires_at)
      VALUES (${this.hashOf(way)}, ${purposeOf(way)}, ${way.session_id}::uuid,
        clock_timestamp() + ${WAY_MINUTES}::int * interval '1 minute')`;
    return { way, cookie: way.session_id === null ? way.token : `${way.token}.${way.session_id}` };
  }

  /** Uses it up. Undefined for one that did not begin here, came back before, or took too long. */
  async endWay(cookie: string): Promise<ProviderWay | undefined> {
    const [, token, session_id = null] = COOKIE.exec(cookie) ?? [];
    if (token === undefined) return undefined;
    const way = { token, session_id };
    const taken = await this.database.sql.$executeRaw`
      UPDATE challenges SET used_at = clock_timestamp()
      WHERE hash = ${this.hashOf(way)} AND purpose = ${purposeOf(way)}
        AND session_id IS NOT DISTINCT FROM ${session_id}::uuid AND used_at IS NULL AND expires_at > clock_timestamp()`;
    return taken === 1 ? way : undefined;
  }

  /** Undefined for an account that is connected to no one who may come in. */
  async signIn(account: ProviderAccount, place: Place): Promise<string | undefined> {
    return this.database.sql.$transaction(async (sql) => {
      const identity = await this.find(sql, account);
      if (identity === undefined) return undefined;
      await sql.$executeRaw`UPDATE identities SET last_used_at = clock_timestamp() WHERE id = ${identity.id}::uuid`;
      return this.sessions.beginByIdentity(sql, identity.person_id, identity.id, place);
    }, TRANSACTION_LIMITS);
  }

  /** To the person of the session, instead of the account that was before. */
  async connect(account: ProviderAccount, sessionId: string): Promise<'done' | 'of_another' | 'session_over'> {
    const isGoingOn = (await this.sessions.goingOn([sessionId])).has(sessionId);
    return this.database.sql.$transaction(async (sql) => {
      const member = isGoingOn ? await memberOf(sql, sessionId) : undefined;
      if (member === undefined) return 'session_over';
      await sql.$queryRaw`SELECT 1 FROM pg_advisory_xact_lock(hashtextextended('identities', 0))`;
      const known = await this.find(sql, account);
      if (known?.person_id === member.person_id) return 'done';
      if (known !== undefined && (await isMember(sql, known.person_id))) return 'of_another';
      await this.replace(sql, this.seal.accountHash(account.issuer, account.subject), member);
      return 'done';
    }, TRANSACTION_LIMITS);
  }

  async ofPerson({ person_id }: Pick<Session, 'person_id'>): Promise<IdentityView | null> {
    const [row] = await this.database.sql.$queryRaw<IdentityView[]>`
      SELECT created_at, last_used_at FROM identities WHERE person_id = ${person_id}::uuid AND removed_at IS NULL`;
    return row ?? null;
  }

  /** False where there is none. */
  async remove(session: Session): Promise<boolean> {
    return this.database.sql.$transaction(async (sql) => {
      const [removed] = await sql.$queryRaw<{ id: string }[]>`
        UPDATE identities SET removed_at = clock_timestamp()
        WHERE person_id = ${session.person_id}::uuid AND removed_at IS NULL RETURNING id::text`;
      if (removed === undefined) return false;
      await recordAct(sql, { action: 'identity-removed', details: { identity_id: removed.id } }, session);
      return true;
    }, TRANSACTION_LIMITS);
  }

  /** Whose it is, and what a person who was removed left behind, makes room. */
  private async replace(sql: Sql, accountHash: Buffer, member: ActingMember): Promise<void> {
    await sql.$executeRaw`
      UPDATE identities SET removed_at = clock_timestamp()
      WHERE (account_hash = ${accountHash} OR person_id = ${member.person_id}::uuid) AND removed_at IS NULL`;
    const createdAt = new Date();
    const id = this.seal.identityIdOf(accountHash, member.person_id, createdAt);
    await sql.$executeRaw`
      INSERT INTO identities (id, person_id, account_hash, created_at)
      VALUES (${id}::uuid, ${member.person_id}::uuid, ${accountHash}, ${createdAt})`;
    await recordAct(sql, { action: 'identity-connected', details: { identity_id: id } }, member);
  }

  /** As this service has tied it: a row that its login alone has written is none. */
  private async find(sql: Sql, { issuer, subject }: ProviderAccount): Promise<IdentityRow | undefined> {
    const [row] = await sql.$queryRaw<IdentityRow[]>`
      SELECT id::text, person_id::text, account_hash, created_at FROM identities
      WHERE account_hash = ${this.seal.accountHash(issuer, subject)} AND removed_at IS NULL`;
    const isOwn = row && row.id === this.seal.identityIdOf(row.account_hash, row.person_id, row.created_at);
    return isOwn ? row : undefined;
  }

  private hashOf({ token, session_id }: ProviderWay): Buffer {
    return this.seal.wayHash(token, session_id);
  }
}

const purposeOf = ({ session_id }: ProviderWay): string => (session_id === null ? 'oidc-sign-in' : 'oidc-connection');

async function memberOf(sql: Sql, sessionId: string): Promise<ActingMember | undefined> {
  const [member] = await sql.$queryRaw<ActingMember[]>`
    SELECT members.id::text AS member_id, person_id::text, merchant_id::text
    FROM sessions JOIN members ON members.id = member_id
    WHERE sessions.id = ${sessionId}::uuid AND ended_at IS NULL AND members.status = 'active'`;
  return member;
}

async function isMember(sql: Sql, personId: string): Promise<boolean> {
  const members = await sql.$queryRaw<unknown[]>`
    SELECT 1 FROM members WHERE person_id = ${personId}::uuid AND status <> 'removed' LIMIT 1`;
  return members.length > 0;
}
