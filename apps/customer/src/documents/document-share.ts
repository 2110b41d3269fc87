import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Transaction } from '@stablecoin/customer-store/customer-database';

/** Of one merchant, without a customer that refers to them. Documents that travel by themselves are bounded by both. */
export const UNATTACHED_DOCUMENTS_MAX = 100;
export const UNATTACHED_BYTES_MAX = 500 * 1024 * 1024;
/** Expired uploads that each new one deletes, at most: little work for a request, and more than are added. */
const FORGOTTEN_AT_ONCE = 10;

/**
 * Refuses a new upload of a merchant that has as much stored as it may. Without a lock, which would make a merchant's uploads
 * wait for each other on database connections that others need: those that begin at once may exceed the share by as many.
 *
 * @param isAlone it travels by itself; one request with a customer may hold more documents than the share, but small ones
 */
export async function requireShare(
  transaction: Transaction,
  { merchantId, isAlone, now }: { merchantId: string; isAlone: boolean; now: Date },
): Promise<void> {
  const [share] = await transaction.$queryRaw<{ documents: number; bytes: number }[]>`
    SELECT count(*)::int AS documents, coalesce(sum(bytes), 0)::float8 AS bytes FROM document_uploads
    WHERE merchant_id = ${merchantId}::uuid AND attached_customer_id IS NULL AND expires_at > ${now}`;
  const { documents = 0, bytes = 0 } = share ?? {};
  if (bytes >= UNATTACHED_BYTES_MAX || (isAlone && documents >= UNATTACHED_DOCUMENTS_MAX)) {
    throw Refusal.rateLimited(await roomInSeconds(transaction, merchantId, now));
  }
}

/** Until so much has expired that the share has room, if no customer refers to any of it before. */
async function roomInSeconds(transaction: Transaction, merchantId: string, now: Date): Promise<number> {
  const [room] = await transaction.$queryRaw<{ at: Date }[]>`
    SELECT expires_at AS at FROM (
      SELECT expires_at, count(*) OVER later AS documents, coalesce(sum(bytes) OVER later, 0) AS bytes FROM document_uploads
      WHERE merchant_id = ${merchantId}::uuid AND attached_customer_id IS NULL AND expires_at > ${now}
      WINDOW later AS (ORDER BY expires_at DESC, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    ) AS left_by_then
    WHERE documents < ${UNATTACHED_DOCUMENTS_MAX} AND bytes < ${UNATTACHED_BYTES_MAX}
    ORDER BY expires_at LIMIT 1`;
  return room ? Math.max(1, Math.ceil((room.at.getTime() - now.getTime()) / 1_000)) : 1;
}

export async function forgetExpiredUploads(transaction: Transaction, now: Date): Promise<void> {
  await transaction.$executeRaw`
    DELETE FROM document_uploads WHERE id IN (
      SELECT id FROM document_uploads WHERE attached_customer_id IS NULL AND expires_at <= ${now}
      ORDER BY expires_at LIMIT ${FORGOTTEN_AT_ONCE} FOR UPDATE SKIP LOCKED)`;
}
