import { Client } from 'pg';

const CONNECT_TIMEOUT_MS = 3_000;
/** What Node calls a certificate that it does not trust. */
const UNTRUSTED = /CERT|SIGNATURE|SELF_SIGNED|ALTNAME|ISSUER/;
const WITHOUT_TLS = 'The server does not support SSL connections';
/** SQLSTATE of a login that pg_hba.conf does not allow; it is also that of a password's, so that the text is looked at. */
const NOT_ALLOWED = '28000';

/**
 * Ends a service at its start whose database is there, but not with the TLS that the URL or the server demands: to wait would
 * not help. A database that is away, or refuses for any other reason, is waited for.
 *
 * @param env the variable that holds the URL
 */
export async function requireTrustedDatabase(url: string, env: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    const reason = tlsRefusal(error);
    if (reason !== undefined) throw new Error(`${env}: ${reason}`);
  } finally {
    // A server that hangs confirms no end.
    void client.end().catch(() => undefined);
  }
}

function tlsRefusal(error: unknown): string | undefined {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (UNTRUSTED.test(String(code)))
    return (
      `the database's certificate is not trusted (${String(code)}): let sslrootcert in the URL name the certificate of the ` +
      'authority that signed it, and use the host name that it is for'
    );
  if (message === WITHOUT_TLS) return 'the database offers no TLS, which sslmode in the URL demands';
  if (code === NOT_ALLOWED && String(message).includes('no encryption'))
    return 'the database takes no connection without TLS: add sslmode=verify-full to the URL';
  return undefined;
}
