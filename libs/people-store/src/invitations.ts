// Links that sign in once. An invitation makes a person, a member and a link at once: the member becomes active with the
// first use of it. A link for this machine only, as npm start prints it, signs in who is there already.

import { randomUUID } from 'node:crypto';
import { TRANSACTION_LIMITS } from '@stablecoin/persistence/postgres';
import { Sql } from '@stablecoin/persistence/sql';
import { ActingMember, recordAct } from './acts';
import { PeopleDatabase } from './people-database';
import { PeopleSeal } from './people-seal';
import { KEPT_DAYS } from './retention';
import { Role, Side } from './roles';
import { drawToken, endIn, hashOf } from './tokens';

export const INVITATION_HOURS = 72;

export interface InvitedPerson {
  name: string;
  email: string;
  role: Role;
}

/** A merchant as the customer service has it. */
export interface MerchantOfMembers {
  merchant_id: string;
  name: string;
  mode: 'test' | 'live';
  shard: number;
}

export interface Invitation {
  invitation_id: string;
  member_id: string;
  /** Stands behind the `#` of the link, so that no server's log has it. */
  token: string;
  expires_at: Date;
}

interface NewLink {
  memberId: string;
  hours: number;
  onlyHere: boolean;
}

export class Invitations {
  constructor(
    private readonly database: PeopleDatabase,
    private readonly seal: PeopleSeal,
  ) {}

  /** By an admin, into the own merchant or, of the operator, to the operator's people. */
  async invite(person: InvitedPerson, by: ActingMember): Promise<Invitation> {
    return this.database.sql.$transaction(async (sql) => {
      const invitation = await this.add(sql, person, by.merchant_id);
      const { invitation_id, member_id } = invitation;
      await recordAct(sql, { action: 'member-invited', details: { member_id, invitation_id, role: person.role } }, by);
      return invitation;
    }, TRANSACTION_LIMITS);
  }

  /** By an operator's command line: the first admin of a merchant, and the operator's own people. */
  async inviteAs(person: InvitedPerson, merchant: MerchantOfMembers | null): Promise<Invitation> {
    return this.database.sql.$transaction(async (sql) => {
      if (merchant) await this.keepMerchant(sql, merchant);
      const invitation = await this.add(sql, person, merchant?.merchant_id ?? null);
      const { invitation_id, member_id } = invitation;
      const details = { member_id, invitation_id, role: person.role };
      await recordAct(sql, { action: 'member-invited', details }, { merchant_id: merchant?.merchant_id ?? null });
      return invitation;
    }, TRANSACTION_LIMITS);
  }

  /** Signs a member of this role in from this machine only; makes the member where there is none. */
  async linkForThisMachine(
    person: InvitedPerson,
    merchant: MerchantOfMembers | null,
    hours: number,
  ): Promise<Invitation> {
    return this.database.sql.$transaction(async (sql) => {
      await sql.$queryRaw`SELECT 1 FROM pg_advisory_xact_lock(hashtextextended('link-for-this-machine', 0))`;
      if (merchant) await this.keepMerchant(sql, merchant);
      const merchantId = merchant?.merchant_id ?? null;
      const [found] = await sql.$queryRaw<{ id: string }[]>`
        SELECT id::text FROM members
        WHERE merchant_id IS NOT DISTINCT FROM ${merchantId}::uuid AND role = ${person.role} AND status <> 'removed'
        ORDER BY created_at, id LIMIT 1`;
      const memberId = found?.id ?? (await this.addMember(sql, person, merchantId));
      return this.addLink(sql, { memberId, hours, onlyHere: true });
    }, TRANSACTION_LIMITS);
  }

  /** Some time after they have expired, used or not. Resolves to how many. */
  forgetExpiredLinks(limit: number): Promise<number> {
    return this.database.sql.$executeRaw`
      DELETE FROM links WHERE id IN (
        SELECT id FROM links WHERE expires_at < clock_timestamp() - ${KEPT_DAYS}::int * interval '1 day'
        LIMIT ${limit}::int FOR UPDATE SKIP LOCKED)`;
  }

  private async add(sql: Sql, person: InvitedPerson, merchantId: string | null): Promise<Invitation> {
    const memberId = await this.addMember(sql, person, merchantId);
    return this.addLink(sql, { memberId, hours: INVITATION_HOURS, onlyHere: false });
  }

  private async addMember(sql: Sql, { name, email, role }: InvitedPerson, merchantId: string | null): Promise<string> {
    const [personId, memberId] = [randomUUID(), randomUUID()];
    const side: Side = merchantId === null ? 'operator' : 'merchant';
    const [sealedName, sealedEmail] = [
      this.seal.seal(personId, 'name', name),
      this.seal.seal(personId, 'email', email),
    ];
    await sql.$executeRaw`
      INSERT INTO people (id, sealed_name, sealed_email) VALUES (${personId}::uuid, ${sealedName}, ${sealedEmail})`;
    await sql.$executeRaw`
      INSERT INTO members (id, person_id, side, merchant_id, role)
      VALUES (${memberId}::uuid, ${personId}::uuid, ${side}, ${merchantId}::uuid, ${role})`;
    return memberId;
  }

  private async keepMerchant(sql: Sql, { merchant_id, name, mode, shard }: MerchantOfMembers): Promise<void> {
    const sealedName = this.seal.seal(merchant_id, 'name', name);
    await sql.$executeRaw`
      INSERT INTO merchants (id, sealed_name, mode, shard) VALUES (${merchant_id}::uuid, ${sealedName}, ${mode}, ${shard})
      ON CONFLICT (id) DO NOTHING`;
  }

  private async addLink(sql: Sql, { memberId, hours, onlyHere }: NewLink): Promise<Invitation> {
    const token = drawToken();
    const expiresAt = await endIn(sql, hours);
    const id = this.seal.idOf({ table: 'links', tokenHash: hashOf(token), memberId, expiresAt });
    await sql.$executeRaw`
      INSERT INTO links (id, token_hash, member_id, only_here, expires_at)
      VALUES (${id}::uuid, ${hashOf(token)}, ${memberId}::uuid, ${onlyHere}, ${expiresAt})`;
    return { invitation_id: id, member_id: memberId, token, expires_at: expiresAt };
  }
}
