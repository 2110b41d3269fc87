import { Prisma } from '../generated/client';

/** Live or test, as the keys of a merchant are: of its newest valid one, else of the newest that there was. */
export const keyModeOf = (merchantId: Prisma.Sql): Prisma.Sql => Prisma.sql`(
  SELECT mode FROM api_keys WHERE merchant_id = ${merchantId}
  ORDER BY revoked_at NULLS FIRST, api_keys.created_at DESC LIMIT 1
)`;
