import { createHash, randomBytes } from 'node:crypto';
import { Sql } from '@stablecoin/persistence/sql';

const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** What stands in a link or a cookie: 256 random bits. The database keeps its hash alone. */
export const drawToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** Undefined for a text that can be no token: it is looked up nowhere. */
export const tokenHash = (token: string): Buffer | undefined =>
  TOKEN.test(token) ? createHash('sha256').update(token).digest() : undefined;

/** Of a token that was drawn. */
export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** By the database's clock, as precise as its columns. */
export async function endIn(sql: Sql, hours: number): Promise<Date> {
  const [row] = await sql.$queryRaw<{ end: Date }[]>`
    SELECT date_trunc('milliseconds', now()) + ${hours}::int * interval '1 hour' AS end`;
  if (!row) throw new Error('the database does not say what time it is');
  return row.end;
}
