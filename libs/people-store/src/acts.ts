import { PeopleDatabase } from './people-database';
import { PeopleSeal } from './people-seal';
import { Sql } from '@stablecoin/persistence/sql';

/** Who does something in the console: always from a session, never from a request. */
export interface ActingMember {
  person_id: string;
  member_id: string;
  merchant_id: string | null;
}

export interface Act {
  action:
    | 'signed-in'
    | 'signed-out'
    | 'signed-out-everywhere'
    | 'session-refused'
    | 'member-invited'
    | 'member-removed'
    | 'role-changed'
    | 'passkey-added'
    | 'passkey-removed'
    | 'passkey-refused'
    | 'identity-connected'
    | 'identity-removed'
    | 'stepped-up'
    | 'transactions-exported'
    | 'statement-exported'
    | 'merchant-looked-at'
    | 'payout-approved'
    | 'payout-rejected'
    | 'payout-ordered'
    | 'swap-ordered'
    | 'webhook-created'
    | 'webhook-changed'
    | 'webhook-deleted'
    | 'webhook-secret-rotated'
    | 'webhook-tested'
    | 'event-resent'
    | 'api-key-created'
    | 'api-key-rotated'
    | 'api-key-revoked'
    | 'identity-read'
    | 'kyc-decided'
    | 'customer-erased'
    | 'document-read'
    | 'rescan-asked'
    | 'balance-explained'
    | 'audit-run-asked'
    | 'audit-run-cancelled';
  details: Record<string, string | number | boolean | null>;
}

/** The record of what is done elsewhere: written before another service is asked. */
export class Acts {
  constructor(private readonly database: PeopleDatabase) {}

  record(act: Act, by: ActingMember): Promise<void> {
    return recordAct(this.database.sql, act, by);
  }
}

/** The same with why, sealed for the person who said it: a reason can name another one. */
export class ReasonedActs {
  constructor(
    private readonly database: PeopleDatabase,
    private readonly seal: PeopleSeal,
  ) {}

  record({ action, details }: Act, reason: string, by: ActingMember): Promise<void> {
    const sealed_reason = this.seal.seal(by.person_id, 'reason', reason);
    return recordAct(this.database.sql, { action, details: { ...details, sealed_reason } }, by);
  }
}

/** Written in the transaction of what was done: neither is there without the other. */
export async function recordAct(sql: Sql, { action, details }: Act, by: Partial<ActingMember>): Promise<void> {
  await sql.$executeRaw`
    INSERT INTO acts (action, person_id, member_id, merchant_id, details)
    VALUES (${action}, ${by.person_id ?? null}::uuid, ${by.member_id ?? null}::uuid, ${by.merchant_id ?? null}::uuid,
      ${JSON.stringify(details)}::jsonb)`;
}
