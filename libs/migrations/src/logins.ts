// Lets a role log in. The server receives the password's SCRAM verifier (RFC 5803) and never the password, which could
// otherwise stand in its log.

import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import pg from 'pg';

const ITERATIONS = 4_096;
const CONNECT_TIMEOUT_MS = 10_000;
const LOGIN_LOCK = 72707370;
const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** What Postgres stores for a password of printable ASCII characters. */
export function scramVerifier(password: string, salt: Buffer = randomBytes(16)): string {
  if (!/^[\x21-\x7e]+$/.test(password))
    throw new OperatorError('A database password has to be of printable ASCII characters.');
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const storedKey = createHash('sha256').update(hmac(salted, 'Client Key')).digest('base64');
  const serverKey = hmac(salted, 'Server Key').toString('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}

/** Gives the role of `loginUrl` the password of `loginUrl`, as the database's owner. */
export async function setPassword(ownerUrl: string, loginUrl: string): Promise<void> {
  const { username, password } = new URL(loginUrl);
  const client = new pg.Client({ connectionString: ownerUrl, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const verifier = client.escapeLiteral(scramVerifier(decodeURIComponent(password)));
    const role = client.escapeIdentifier(decodeURIComponent(username));
    // One at a time: Postgres refuses a session that changes a role which another session is just changing.
    await client.query(
      `BEGIN; SELECT pg_advisory_xact_lock(${LOGIN_LOCK}); ALTER ROLE ${role} LOGIN PASSWORD ${verifier}; COMMIT`,
    );
  } finally {
    await client.end();
  }
}
