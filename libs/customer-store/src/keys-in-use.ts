import { Prisma } from './generated/client';

/**
 * The data keys of merchants and of customers who were not erased, under the table's own name. A key that was put back beneath an
 * erased customer is none of them: it opens nothing, and the next look at the erasures' file destroys it again (ADR 45).
 */
export const KEYS_IN_USE = Prisma.sql`(
  SELECT owner_id, wrapped_key FROM data_keys AS kept
  WHERE NOT EXISTS (SELECT FROM customers AS erased WHERE erased.id = kept.owner_id AND erased.erased_at IS NOT NULL)
) AS data_keys`;
