import { OperatorError } from '@stablecoin/command-line/operator-error';
import { TRANSACTION_LIMITS } from '@stablecoin/persistence/postgres';
import { Sql } from '@stablecoin/persistence/sql';
import { CustomerDatabase, Transaction } from '../customer-database';
import { ActedBy, recordAct } from '../operator-acts/operator-acts';

/** How much of what is kept for good a merchant may have. */
export interface MerchantQuota {
  /** Uploaded ones, attached or not; what an erasure made unreadable is still stored. */
  documents: number;
  document_bytes: number;
  webhook_endpoints: number;
  /** Valid ones. */
  api_keys: number;
}
export type QuotaName = keyof MerchantQuota;

export const QUOTA_NAMES = ['documents', 'document_bytes', 'webhook_endpoints', 'api_keys'] as const;

/** Of merchants for whom no operator has set another. */
export const DEFAULT_QUOTA: MerchantQuota = {
  documents: 10_000,
  document_bytes: 20 * 1024 ** 3,
  webhook_endpoints: 20,
  api_keys: 100,
};

/** What an operator may set: what a document's upload has to count, and an event's deliveries, stay bounded. */
export const QUOTA_MAX: MerchantQuota = {
  documents: 1_000_000,
  document_bytes: 10 * 1024 ** 4,
  webhook_endpoints: 20,
  api_keys: 1_000,
};

type QuotaRow = { [Name in QuotaName]: number | null };

export interface MerchantUsage {
  merchant_id: string;
  quota: MerchantQuota;
  used: MerchantQuota;
}

export async function quotaOf(sql: Sql, merchantId: string): Promise<MerchantQuota> {
  const [row] = await sql.$queryRaw<QuotaRow[]>`
    SELECT documents, document_bytes::float8 AS document_bytes, webhook_endpoints, api_keys FROM merchant_quotas
    WHERE merchant_id = ${merchantId}::uuid`;
  return withDefaults(row);
}

export function withDefaults(row: Partial<QuotaRow> | undefined): MerchantQuota {
  const set = QUOTA_NAMES.map((name) => [name, row?.[name] ?? DEFAULT_QUOTA[name]]);
  return Object.fromEntries(set) as MerchantQuota;
}

/**
 * Of two requests of one merchant that begin something which a quota bounds, the second one waits until the first one's
 * transaction has ended, on whatever instance they are: so both don't take the last place.
 */
export async function lockQuota(transaction: Transaction, merchantId: string): Promise<void> {
  await transaction.$queryRaw`
    SELECT 1 FROM pg_advisory_xact_lock(hashtextextended(${`merchant-quota:${merchantId}`}, 0))`;
}

/** What operators see of quotas, and set. */
export class MerchantQuotas {
  constructor(private readonly database: CustomerDatabase) {}

  /** @throws OperatorError for a merchant that there is none of */
  async usage(merchantId: string): Promise<MerchantUsage> {
    const [row] = await this.database.$queryRaw<MerchantQuota[]>`
      SELECT (SELECT count(*) FROM document_uploads WHERE merchant_id = merchant.id)::int AS documents,
        (SELECT coalesce(sum(bytes), 0) FROM document_uploads WHERE merchant_id = merchant.id)::float8 AS document_bytes,
        (SELECT count(*) FROM webhook_endpoints WHERE merchant_id = merchant.id AND deleted_at IS NULL)::int AS webhook_endpoints,
        (SELECT count(*) FROM api_keys WHERE merchant_id = merchant.id AND revoked_at IS NULL
          AND (expires_at IS NULL OR expires_at > now()))::int AS api_keys
      FROM merchants AS merchant WHERE id = ${merchantId}::uuid`;
    if (!row) throw new OperatorError('There is no such merchant.');
    return { merchant_id: merchantId, quota: await quotaOf(this.database, merchantId), used: row };
  }

  /** Sets those that are named; a quota below what is used takes nothing away, and lets nothing in. */
  async set(merchantId: string, changes: Partial<MerchantQuota>, by: ActedBy): Promise<MerchantUsage> {
    await this.usage(merchantId);
    const { documents = null, document_bytes = null, webhook_endpoints = null, api_keys = null } = changes;
    await this.database.$transaction(async (transaction) => {
      await transaction.$executeRaw`
        INSERT INTO merchant_quotas AS quota (merchant_id, documents, document_bytes, webhook_endpoints, api_keys)
        VALUES (${merchantId}::uuid, ${documents}::int, ${document_bytes}::bigint, ${webhook_endpoints}::int, ${api_keys}::int)
        ON CONFLICT (merchant_id) DO UPDATE SET documents = coalesce(excluded.documents, quota.documents),
          document_bytes = coalesce(excluded.document_bytes, quota.document_bytes),
          webhook_endpoints = coalesce(excluded.webhook_endpoints, quota.webhook_endpoints),
          api_keys = coalesce(excluded.api_keys, quota.api_keys)`;
      const details = { ...changes };
      await recordAct(transaction, { action: 'merchants set-quota', merchant_id: merchantId, details }, by);
    }, TRANSACTION_LIMITS);
    return this.usage(merchantId);
  }
}
