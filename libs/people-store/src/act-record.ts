/** The record of what people do at the console, for who looks after them: what, who, when, and why where it took a reason. */
import { arrayColumn } from '@stablecoin/persistence/columns';
import { Act, ActingMember } from './acts';
import { Prisma } from './generated/client';
import { PeopleDatabase } from './people-database';
import { PeopleSeal } from './people-seal';

export const ACT_KINDS = ['sign-in', 'people', 'money', 'integration', 'customers', 'reading', 'audit'] as const;
export type ActKind = (typeof ACT_KINDS)[number];

const KIND_OF: Readonly<Record<Act['action'], ActKind>> = {
  'signed-in': 'sign-in',
  'signed-out': 'sign-in',
  'signed-out-everywhere': 'sign-in',
  'session-refused': 'sign-in',
  'passkey-added': 'sign-in',
  'passkey-removed': 'sign-in',
  'passkey-refused': 'sign-in',
  'identity-connected': 'sign-in',
  'identity-removed': 'sign-in',
  'stepped-up': 'sign-in',
  'member-invited': 'people',
  'member-removed': 'people',
  'role-changed': 'people',
  'payout-approved': 'money',
  'payout-rejected': 'money',
  'payout-ordered': 'money',
  'swap-ordered': 'money',
  'rescan-asked': 'money',
  'webhook-created': 'integration',
  'webhook-changed': 'integration',
  'webhook-deleted': 'integration',
  'webhook-secret-rotated': 'integration',
  'webhook-tested': 'integration',
  'event-resent': 'integration',
  'api-key-created': 'integration',
  'api-key-rotated': 'integration',
  'api-key-revoked': 'integration',
  'kyc-decided': 'customers',
  'customer-erased': 'customers',
  'identity-read': 'reading',
  'document-read': 'reading',
  'transactions-exported': 'reading',
  'statement-exported': 'reading',
  'merchant-looked-at': 'reading',
  'balance-explained': 'audit',
  'audit-run-asked': 'audit',
  'audit-run-cancelled': 'audit',
};
export const ACTIONS = Object.keys(KIND_OF);
const actionsOf = (kind: ActKind) => Object.entries(KIND_OF).flatMap(([action, of]) => (of === kind ? [action] : []));

export interface RecordedAct {
  number: number;
  acted_at: Date;
  action: string;
  /** Null: by the operator's command line, whose own record has who. */
  member_id: string | null;
  details: Act['details'];
  reason: string | null;
}

export interface ActsAsked {
  kind?: ActKind;
  member_id?: string;
  /** Only what was done before the act of this number. */
  before?: number;
  limit: number;
}

type Row = Omit<RecordedAct, 'reason'> & { person_id: string | null };

export class ActRecord {
  constructor(
    private readonly database: PeopleDatabase,
    private readonly seal: PeopleSeal,
  ) {}

  /**
   * Of the members of the merchant that the asking member is of; of the operator's people for one of these. Newest first.
   *
   * @returns earlier: the number to ask on with, where there is more
   */
  async page(
    { merchant_id }: ActingMember,
    { kind, member_id, before, limit }: ActsAsked,
  ): Promise<{ acts: RecordedAct[]; earlier: number | null }> {
    // Each by itself, so that the index of a merchant's acts finds them.
    const conditions = [
      merchant_id === null ? Prisma.sql`merchant_id IS NULL` : Prisma.sql`merchant_id = ${merchant_id}::uuid`,
      ...(kind === undefined ? [] : [Prisma.sql`action = ANY (${arrayColumn(actionsOf(kind))}::text[])`]),
      ...(member_id === undefined ? [] : [Prisma.sql`member_id = ${member_id}::uuid`]),
      ...(before === undefined ? [] : [Prisma.sql`number < ${before}::bigint`]),
    ];
    const rows = await this.database.sql.$queryRaw<Row[]>`
      SELECT number::float8 AS number, acted_at, action, member_id::text AS member_id, person_id::text AS person_id, details
      FROM acts WHERE ${Prisma.join(conditions, ' AND ')} ORDER BY number DESC LIMIT ${limit + 1}::int`;
    const shown = rows.slice(0, limit);
    return {
      acts: shown.map((row) => this.read(row)),
      earlier: rows.length > limit ? (shown.at(-1)?.number ?? null) : null,
    };
  }

  private read({ person_id, details: { sealed_reason: sealed, ...details }, ...row }: Row): RecordedAct {
    const reason =
      typeof sealed === 'string' && person_id !== null ? this.seal.open(person_id, 'reason', sealed) : null;
    return { ...row, details, reason };
  }
}
