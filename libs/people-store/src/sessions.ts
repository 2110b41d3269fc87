// Sessions on the server. A cookie is worth what its row here says: until it has ended, was not used for too long, or is too
// old, for the family of addresses that it was given to, and while its member is active. One that comes from another family
// was stolen, or its person has moved: the session ends either way.

import { arrayColumn } from '@stablecoin/persistence/columns';
import { TRANSACTION_LIMITS } from '@stablecoin/persistence/postgres';
import { Sql } from '@stablecoin/persistence/sql';
import { ActingMember, recordAct } from './acts';
import { Prisma } from './generated/client';
import { PeopleDatabase } from './people-database';
import { PeopleSeal } from './people-seal';
import { KEPT_DAYS } from './retention';
import { Role, Side } from './roles';
import { drawToken, endIn, hashOf, tokenHash } from './tokens';

const IDLE_MINUTES_MAX = 30;
const HOURS_MAX = 12;
/** How long a passkey that was seen stands for its person in what needs more than a session. */
const STEPPED_UP_MINUTES = 5;

export type AddressFamily = 4 | 6;
/** What a session can begin with. */
export type SignInWay = 'link' | 'passkey' | 'oidc';

/** From where a request comes. */
export interface Place {
  family: AddressFamily;
  isThisMachine: boolean;
}

/** Who asks, as the session says. */
export interface Session extends ActingMember {
  session_id: string;
  name: string;
  email: string;
  side: Side;
  role: Role;
  merchant: { merchant_id: string; name: string; mode: 'test' | 'live'; shard: number } | null;
  /** How many the person has. */
  passkeys: number;
  stepped_up_until: Date | null;
  signed_in_at: Date;
  /** Null for one that an earlier version began. */
  signed_in_by: SignInWay | null;
}

interface SessionRow extends ActingMember {
  session_id: string;
  sealed_name: string;
  sealed_email: string;
  side: Side;
  role: Role;
  mode: 'test' | 'live' | null;
  shard: number | null;
  sealed_merchant_name: string | null;
  passkeys: number;
  stepped_up_until: Date | null;
  signed_in_at: Date;
  signed_in_by: SignInWay | null;
}

/** Way, and what of it was used. */
type Beginning = { way: SignInWay } & Record<string, string>;

export class Sessions {
  constructor(
    private readonly database: PeopleDatabase,
    private readonly seal: PeopleSeal,
  ) {}

  /** Uses a link up. Undefined for one that is not there, was used, has expired, or is for another machine. */
  async signInByLink(token: string, place: Place): Promise<string | undefined> {
    const hash = tokenHash(token);
    if (!hash) return undefined;
    return this.database.sql.$transaction(async (sql) => {
      // The row is locked by the first of two uses at once; the second one then finds it used.
      const [link] = await sql.$queryRaw<{ id: string; member_id: string; expires_at: Date }[]>`
        UPDATE links SET used_at = clock_timestamp()
        WHERE token_hash = ${hash} AND used_at IS NULL AND expires_at > clock_timestamp()
          AND (${place.isThisMachine} OR NOT only_here)
        RETURNING id::text, member_id::text, expires_at`;
      if (!link || !this.isOwn('links', hash, link)) return undefined;
      return this.begin(sql, link.member_id, place, { way: 'link', link_id: link.id });
    }, TRANSACTION_LIMITS);
  }

  /** As the member of the person that was seen last; undefined for one whose members were all removed. */
  async beginByPasskey(sql: Sql, personId: string, passkeyId: string, place: Place): Promise<string | undefined> {
    const token = await this.beginAs(sql, personId, place, { way: 'passkey', passkey_id: passkeyId });
    if (token !== undefined) await this.stepUp(sql, Prisma.sql`token_hash = ${hashOf(token)}`);
    return token;
  }

  /** The same, and no passkey was seen: what needs one is refused until it is shown. */
  beginByIdentity(sql: Sql, personId: string, identityId: string, place: Place): Promise<string | undefined> {
    return this.beginAs(sql, personId, place, { way: 'oidc', identity_id: identityId });
  }

  private async beginAs(sql: Sql, personId: string, place: Place, by: Beginning): Promise<string | undefined> {
    const [member] = await sql.$queryRaw<{ id: string }[]>`
      SELECT id::text FROM members WHERE person_id = ${personId}::uuid AND status = 'active'
      ORDER BY last_seen_at DESC NULLS LAST, id LIMIT 1`;
    return member && this.begin(sql, member.id, place, by);
  }

  /** The passkey was seen within this session. */
  async stepUpByPasskey(sql: Sql, session: Session, passkeyId: string): Promise<void> {
    const { session_id } = session;
    await this.stepUp(sql, Prisma.sql`id = ${session_id}::uuid AND ended_at IS NULL`);
    await recordAct(sql, { action: 'stepped-up', details: { session_id, passkey_id: passkeyId } }, session);
  }

  private async stepUp(sql: Sql, ofSession: Prisma.Sql): Promise<void> {
    await sql.$executeRaw`
      UPDATE sessions SET stepped_up_until = clock_timestamp() + ${STEPPED_UP_MINUTES}::int * interval '1 minute'
      WHERE ${ofSession}`;
  }

  /** Undefined for a member that was removed. */
  private async begin(sql: Sql, memberId: string, place: Place, by: Beginning): Promise<string | undefined> {
    const [member] = await sql.$queryRaw<ActingMember[]>`
      UPDATE members SET status = 'active', last_seen_at = clock_timestamp()
      WHERE id = ${memberId}::uuid AND status <> 'removed'
      RETURNING id::text AS member_id, person_id::text, merchant_id::text`;
    if (!member) return undefined;
    const token = drawToken();
    const expiresAt = await endIn(sql, HOURS_MAX);
    const id = this.seal.idOf({ table: 'sessions', tokenHash: hashOf(token), memberId, expiresAt });
    await sql.$executeRaw`
      INSERT INTO sessions (id, token_hash, member_id, address_family, expires_at, way)
      VALUES (${id}::uuid, ${hashOf(token)}, ${memberId}::uuid, ${place.family}::int, ${expiresAt}, ${by.way})`;
    await recordAct(sql, { action: 'signed-in', details: { ...by, session_id: id } }, member);
    return token;
  }

  /**
   * Whose cookie it is; undefined for one that is worth nothing, for whatever reason.
   *
   * @param isUse whether the session's half hour begins anew
   */
  async find(token: string, { family }: Place, isUse = true): Promise<Session | undefined> {
    const hash = tokenHash(token);
    if (!hash) return undefined;
    const [row] = await this.database.sql.$queryRaw<(SessionRow & { expires_at: Date })[]>`
      UPDATE sessions SET last_used_at = CASE WHEN ${isUse} THEN clock_timestamp() ELSE last_used_at END
      FROM members JOIN people ON people.id = members.person_id LEFT JOIN merchants ON merchants.id = members.merchant_id
      WHERE token_hash = ${hash} AND members.id = member_id AND members.status = 'active'
        AND ended_at IS NULL AND expires_at > clock_timestamp()
        AND last_used_at > clock_timestamp() - ${IDLE_MINUTES_MAX}::int * interval '1 minute'
        AND address_family = ${family}::int
      RETURNING sessions.id::text AS session_id, members.id::text AS member_id, people.id::text AS person_id,
        members.merchant_id::text AS merchant_id, side, role, people.sealed_name, sealed_email,
        merchants.sealed_name AS sealed_merchant_name, mode, shard, stepped_up_until,
        (SELECT count(*) FROM passkeys WHERE passkeys.person_id = people.id AND removed_at IS NULL)::int AS passkeys,
        sessions.created_at AS signed_in_at, way AS signed_in_by, sessions.expires_at AS expires_at`;
    if (row) {
      const { expires_at, ...session } = row;
      const isOwn = this.isOwn('sessions', hash, { id: row.session_id, member_id: row.member_id, expires_at });
      return isOwn ? this.sessionOf(session) : undefined;
    }
    await this.endStolen(hash, family);
    return undefined;
  }

  /** Without counting as a request: who only listens does nothing. @param roles of those who go on listening; left out: every one */
  async goingOn(sessionIds: readonly string[], roles?: readonly Role[]): Promise<Set<string>> {
    const ofRoles =
      roles === undefined ? Prisma.empty : Prisma.sql`AND members.role = ANY (${arrayColumn(roles)}::text[])`;
    const rows = await this.database.sql.$queryRaw<{ id: string }[]>`
      SELECT sessions.id::text AS id FROM sessions JOIN members ON members.id = member_id
      WHERE sessions.id = ANY (${arrayColumn(sessionIds)}::uuid[]) AND members.status = 'active' ${ofRoles}
        AND ended_at IS NULL AND expires_at > clock_timestamp()
        AND last_used_at > clock_timestamp() - ${IDLE_MINUTES_MAX}::int * interval '1 minute'`;
    return new Set(rows.map(({ id }) => id));
  }

  /** Whether this service wrote the row, and as it is: its table's login alone lets no one in. */
  private isOwn(
    table: 'links' | 'sessions',
    hash: Buffer,
    { id, member_id, expires_at }: { id: string; member_id: string; expires_at: Date },
  ): boolean {
    return id === this.seal.idOf({ table, tokenHash: hash, memberId: member_id, expiresAt: expires_at });
  }

  private async endStolen(hash: Buffer, family: AddressFamily): Promise<void> {
    await this.database.sql.$transaction(async (sql) => {
      const [stolen] = await sql.$queryRaw<(ActingMember & { session_id: string })[]>`
        UPDATE sessions SET ended_at = clock_timestamp() FROM members
        WHERE token_hash = ${hash} AND members.id = member_id AND ended_at IS NULL AND address_family <> ${family}::int
        RETURNING sessions.id::text AS session_id, members.id::text AS member_id, person_id::text, merchant_id::text`;
      if (!stolen) return;
      const { session_id, ...member } = stolen;
      await recordAct(sql, { action: 'session-refused', details: { session_id, family } }, member);
    }, TRANSACTION_LIMITS);
  }

  async end(session: Session): Promise<void> {
    await this.database.sql.$transaction(async (sql) => {
      await sql.$executeRaw`
        UPDATE sessions SET ended_at = clock_timestamp() WHERE id = ${session.session_id}::uuid AND ended_at IS NULL`;
      await recordAct(sql, { action: 'signed-out', details: { session_id: session.session_id } }, session);
    }, TRANSACTION_LIMITS);
  }

  /** Ends every session of the person, of each membership. */
  async endEverywhere(session: Session): Promise<void> {
    await this.database.sql.$transaction(async (sql) => {
      const ended = await sql.$executeRaw`
        UPDATE sessions SET ended_at = clock_timestamp()
        WHERE ended_at IS NULL AND member_id IN (SELECT id FROM members WHERE person_id = ${session.person_id}::uuid)`;
      await recordAct(sql, { action: 'signed-out-everywhere', details: { sessions: ended } }, session);
    }, TRANSACTION_LIMITS);
  }

  /** Some time after the end that each was given when it began: one that ended before is kept as long. Resolves to how many. */
  forgetExpired(limit: number): Promise<number> {
    return this.database.sql.$executeRaw`
      DELETE FROM sessions WHERE id IN (
        SELECT id FROM sessions WHERE expires_at < clock_timestamp() - ${KEPT_DAYS}::int * interval '1 day'
        LIMIT ${limit}::int FOR UPDATE SKIP LOCKED)`;
  }

  private sessionOf({ sealed_name, sealed_email, sealed_merchant_name, mode, shard, ...row }: SessionRow): Session {
    const { merchant_id } = row;
    const merchant =
      merchant_id === null || sealed_merchant_name === null || mode === null || shard === null
        ? null
        : { merchant_id, name: this.seal.open(merchant_id, 'name', sealed_merchant_name), mode, shard };
    const name = this.seal.open(row.person_id, 'name', sealed_name);
    const email = this.seal.open(row.person_id, 'email', sealed_email);
    return { ...row, name, email, merchant };
  }
}
