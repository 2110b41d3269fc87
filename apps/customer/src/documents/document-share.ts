import { DOCUMENT_BYTES_MAX } from '@stablecoin/contracts/customer/document';
import { DOCUMENT_PART_BYTES, DOCUMENT_PARTS_MAX } from '@stablecoin/contracts/customer/upload-document-part';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Transaction } from '@stablecoin/customer-store/customer-database';
import { Prisma } from '@stablecoin/customer-store/generated/client';
import { lockQuota, quotaOf } from '@stablecoin/customer-store/merchants/merchant-quotas';
import { instruments } from '@stablecoin/telemetry/metrics/instruments';

/** Of one merchant, without a customer that refers to them. Documents that travel by themselves are bounded by both. */
export const UNATTACHED_DOCUMENTS_MAX = 100;
export const UNATTACHED_BYTES_MAX = 500 * 1024 * 1024;
/** Expired uploads that each new one deletes, at most: little work for a request, and more than are added. */
const FORGOTTEN_AT_ONCE = 10;

/** What an upload may become; once it is whole, what it is. */
const RESERVED_BYTES = Prisma.sql`CASE WHEN whole_at IS NULL
  THEN greatest(bytes, least(coalesce(parts, ${DOCUMENT_PARTS_MAX}::int) * ${DOCUMENT_PART_BYTES}::int, ${DOCUMENT_BYTES_MAX}::int))
  ELSE bytes END`;
const reservedFor = (parts: number | null) =>
  Math.min((parts ?? DOCUMENT_PARTS_MAX) * DOCUMENT_PART_BYTES, DOCUMENT_BYTES_MAX);

interface Stored {
  unattached: number;
  unattached_bytes: number;
  attached: number;
  attached_bytes: number;
}

/** @param parts null: it travels by itself; a request with a customer may hold more documents than the share, but small ones */
interface NewUpload {
  merchantId: string;
  parts: number | null;
  now: Date;
}

/**
 * Refuses a new upload of a merchant that has as much stored as it may: of its quota for good, or of its share for the moment.
 * What has not arrived whole counts with all that it may become, so that uploads which began at once don't exceed it together,
 * and they begin one after the other. Few connections wait for that: the gateway sends a merchant's parts one at a time.
 */
export async function requireRoom(transaction: Transaction, upload: NewUpload): Promise<void> {
  const { merchantId, parts, now } = upload;
  await lockQuota(transaction, merchantId);
  const quota = await quotaOf(transaction, merchantId);
  const stored = await storedOf(transaction, merchantId, now);
  const bytes = reservedFor(parts);
  const unattached_bytes = stored.unattached_bytes + bytes;
  const hasQuota =
    stored.attached + stored.unattached < quota.documents &&
    stored.attached_bytes + unattached_bytes <= quota.document_bytes;
  if (!hasQuota) {
    instruments.storage_quota_refusals_total.inc({});
    throw new Refusal('storage_quota_reached');
  }
  const hasShare =
    unattached_bytes <= UNATTACHED_BYTES_MAX && (parts !== null || stored.unattached < UNATTACHED_DOCUMENTS_MAX);
  if (!hasShare) throw Refusal.rateLimited(await roomInSeconds(transaction, upload, bytes));
}

async function storedOf(transaction: Transaction, merchantId: string, now: Date): Promise<Stored> {
  const [stored] = await transaction.$queryRaw<[Stored]>`
    SELECT * FROM (
      SELECT count(*)::int AS unattached, coalesce(sum(${RESERVED_BYTES}), 0)::float8 AS unattached_bytes
      FROM document_uploads
      WHERE merchant_id = ${merchantId}::uuid AND attached_customer_id IS NULL AND expires_at > ${now}
    ) AS unattached CROSS JOIN (
      SELECT count(*)::int AS attached, coalesce(sum(bytes), 0)::float8 AS attached_bytes
      FROM document_uploads WHERE merchant_id = ${merchantId}::uuid AND attached_customer_id IS NOT NULL
    ) AS attached`;
  return stored;
}

/** Until so much has expired that the share has room, if no customer refers to any of it before. */
async function roomInSeconds(transaction: Transaction, { merchantId, now }: NewUpload, bytes: number): Promise<number> {
  const [room] = await transaction.$queryRaw<{ at: Date }[]>`
    SELECT expires_at AS at FROM (
      SELECT expires_at, count(*) OVER later AS documents, coalesce(sum(${RESERVED_BYTES}) OVER later, 0) AS bytes
      FROM document_uploads
      WHERE merchant_id = ${merchantId}::uuid AND attached_customer_id IS NULL AND expires_at > ${now}
      WINDOW later AS (ORDER BY expires_at DESC, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    ) AS left_by_then
    WHERE documents < ${UNATTACHED_DOCUMENTS_MAX} AND bytes + ${bytes}::int <= ${UNATTACHED_BYTES_MAX}
    ORDER BY expires_at LIMIT 1`;
  return room ? Math.max(1, Math.ceil((room.at.getTime() - now.getTime()) / 1_000)) : 1;
}

export async function forgetExpiredUploads(transaction: Transaction, now: Date): Promise<void> {
  await transaction.$executeRaw`
    DELETE FROM document_uploads WHERE id IN (
      SELECT id FROM document_uploads WHERE attached_customer_id IS NULL AND expires_at <= ${now}
      ORDER BY expires_at LIMIT ${FORGOTTEN_AT_ONCE} FOR UPDATE SKIP LOCKED)`;
}
