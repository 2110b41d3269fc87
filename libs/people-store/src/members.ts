import { arrayColumn } from '@stablecoin/persistence/columns';
import { TRANSACTION_LIMITS } from '@stablecoin/persistence/postgres';
import { Sql } from '@stablecoin/persistence/sql';
import { ActingMember, recordAct } from './acts';
import { PeopleDatabase } from './people-database';
import { PeopleSeal } from './people-seal';
import { Role } from './roles';

const LISTED_MAX = 1_000;

export interface MemberView {
  member_id: string;
  person_id: string;
  name: string;
  email: string;
  role: Role;
  status: 'invited' | 'active' | 'removed';
  last_seen_at: Date | null;
}

type MemberRow = Omit<MemberView, 'name' | 'email'> & { sealed_name: string; sealed_email: string };
type Outcome = 'done' | 'not_found' | 'last_admin';

/** The members of the merchant that the asking member is of; of the operator's people for one of these. */
export class Members {
  constructor(
    private readonly database: PeopleDatabase,
    private readonly seal: PeopleSeal,
  ) {}

  async list({ merchant_id }: ActingMember): Promise<MemberView[]> {
    const rows = await this.database.sql.$queryRaw<MemberRow[]>`
      SELECT members.id::text AS member_id, person_id::text, role, status, last_seen_at, sealed_name, sealed_email
      FROM members JOIN people ON people.id = person_id
      WHERE merchant_id IS NOT DISTINCT FROM ${merchant_id}::uuid AND status <> 'removed'
      ORDER BY members.created_at, members.id LIMIT ${LISTED_MAX}::int`;
    return rows.map(({ sealed_name, sealed_email, ...row }) => ({
      ...row,
      name: this.seal.open(row.person_id, 'name', sealed_name),
      email: this.seal.open(row.person_id, 'email', sealed_email),
    }));
  }

  /** Of memberships of the merchant, or of the operator, those that have ended as well. */
  async namesOf(memberIds: readonly string[], { merchant_id }: ActingMember): Promise<Map<string, string>> {
    const rows = await this.database.sql.$queryRaw<{ member_id: string; person_id: string; sealed_name: string }[]>`
      SELECT members.id::text AS member_id, person_id::text, sealed_name FROM members JOIN people ON people.id = person_id
      WHERE merchant_id IS NOT DISTINCT FROM ${merchant_id}::uuid AND members.id = ANY (${arrayColumn(memberIds)}::uuid[])`;
    return new Map(rows.map((row) => [row.member_id, this.seal.open(row.person_id, 'name', row.sealed_name)]));
  }

  /** Ends the member's sessions with it. A merchant keeps an admin. */
  async remove(memberId: string, by: ActingMember): Promise<Outcome> {
    return this.changing(memberId, by, async (sql, member) => {
      if (member.role === 'admin' && (await isLastAdmin(sql, memberId, by))) return 'last_admin';
      await sql.$executeRaw`UPDATE members SET status = 'removed' WHERE id = ${memberId}::uuid`;
      await sql.$executeRaw`
        UPDATE sessions SET ended_at = clock_timestamp() WHERE member_id = ${memberId}::uuid AND ended_at IS NULL`;
      await recordAct(sql, { action: 'member-removed', details: { member_id: memberId } }, by);
      return 'done';
    });
  }

  async changeRole(memberId: string, role: Role, by: ActingMember): Promise<Outcome> {
    return this.changing(memberId, by, async (sql, member) => {
      if (member.role === 'admin' && role !== 'admin' && (await isLastAdmin(sql, memberId, by))) return 'last_admin';
      await sql.$executeRaw`UPDATE members SET role = ${role} WHERE id = ${memberId}::uuid`;
      const details = { member_id: memberId, from: member.role, to: role };
      await recordAct(sql, { action: 'role-changed', details }, by);
      return 'done';
    });
  }

  /** Changes of one merchant's members follow one after the other: two admins can't remove each other at once. */
  private changing(
    memberId: string,
    { merchant_id }: ActingMember,
    change: (sql: Sql, member: { role: Role }) => Promise<Outcome>,
  ): Promise<Outcome> {
    return this.database.sql.$transaction(async (sql) => {
      await sql.$queryRaw`
        SELECT 1 FROM pg_advisory_xact_lock(hashtextextended('members:' || coalesce(${merchant_id}::text, ''), 0))`;
      const [member] = await sql.$queryRaw<{ role: Role }[]>`
        SELECT role FROM members
        WHERE id = ${memberId}::uuid AND merchant_id IS NOT DISTINCT FROM ${merchant_id}::uuid AND status <> 'removed'`;
      return member ? change(sql, member) : 'not_found';
    }, TRANSACTION_LIMITS);
  }
}

async function isLastAdmin(sql: Sql, memberId: string, { merchant_id }: ActingMember): Promise<boolean> {
  const others = await sql.$queryRaw<unknown[]>`
    SELECT 1 FROM members
    WHERE merchant_id IS NOT DISTINCT FROM ${merchant_id}::uuid AND role = 'admin' AND status = 'active'
      AND id <> ${memberId}::uuid LIMIT 1`;
  return others.length === 0;
}
