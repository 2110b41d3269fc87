import { EventType, WebhookView } from '@stablecoin/contracts/customer/webhook-views';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { PersonalData } from '@stablecoin/customer-store/personal-data';
import { Prisma } from '@stablecoin/customer-store/generated/client';
import { openUrl, sealOfMerchant, StoredUrl } from '@stablecoin/customer-store/webhooks/webhook-url';
import { OwnerSeal } from '@stablecoin/personal-data/owner-seal';
import { Reads, Sql } from '@stablecoin/persistence/sql';

export interface EndpointRow {
  id: string;
  url: string;
  description: string | null;
  event_types: EventType[] | null;
  disabled_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** As it is stored, with the key that opens it. */
export interface StoredEndpoint extends Omit<EndpointRow, 'url'>, StoredUrl {
  merchant_id: string;
  wrapped_key: string;
}

/** Its columns, of `webhook_endpoints JOIN data_keys ON owner_id = merchant_id`. */
export const ENDPOINT_COLUMNS = Prisma.sql`id, merchant_id::text, wrapped_key, url, sealed_url, description, event_types,
  disabled_at, created_at, updated_at`;

export async function openEndpoint(personalData: PersonalData, stored: StoredEndpoint): Promise<EndpointRow> {
  const { merchant_id, wrapped_key, url, sealed_url, ...row } = stored;
  return { ...row, url: openUrl(await personalData.sealOf(merchant_id, wrapped_key), row.id, { url, sealed_url }) };
}

/** One merchant's endpoint. @throws Refusal `not_found`, also for another merchant's and a deleted one */
export async function findEndpoint(sql: Reads, merchantId: string, endpointId: string): Promise<StoredEndpoint> {
  const [row] = await sql.$queryRaw<StoredEndpoint[]>`
    SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints JOIN data_keys ON owner_id = merchant_id
    WHERE id = ${endpointId}::uuid AND merchant_id = ${merchantId}::uuid AND deleted_at IS NULL`;
  if (!row) throw new Refusal('not_found');
  return row;
}

/** The same, locked until the transaction ends. */
export async function lockEndpoint(sql: Sql, merchantId: string, endpointId: string): Promise<StoredEndpoint> {
  await sql.$queryRaw`
    SELECT 1 FROM webhook_endpoints
    WHERE id = ${endpointId}::uuid AND merchant_id = ${merchantId}::uuid FOR UPDATE`;
  return findEndpoint(sql, merchantId, endpointId);
}

export function endpointView({ id, url, description, event_types, disabled_at, ...row }: EndpointRow): WebhookView {
  return {
    id,
    url,
    description,
    events: event_types,
    status: disabled_at === null ? 'enabled' : 'disabled',
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export const secretField = (endpointId: string): string => `webhook-secret:${endpointId}`;
/** An answer that contains a secret is stored for repetitions like any other, but sealed. */
export const secretAnswerField = (command: MerchantCommand): string => `answer:${command.command_id}`;

/** What a merchant's secrets and URLs are sealed with. @throws Refusal `not_found` */
export async function merchantSeal(sql: Sql, personalData: PersonalData, merchantId: string): Promise<OwnerSeal> {
  const seal = await sealOfMerchant(sql, personalData, merchantId);
  if (!seal) throw new Refusal('not_found');
  return seal;
}
