import { connect, ConnectionOptions, ErrorCode, NatsConnection } from 'nats';
import { endReplacedConnections } from './replaced-connections';

/** Names the process's one connection to the bus among the providers. */
export const BUS_CONNECTION = Symbol('BUS_CONNECTION');

const CONNECT_TIMEOUT_MS = 3_000;
/** A broker that has left two pings unanswered when the third is due is taken for gone: after 3 s of silence. */
const PING_INTERVAL_MS = 1_000;
const UNANSWERED_PINGS = 2;

/** What Node calls a certificate that it does not trust. */
const UNTRUSTED = /CERT|SIGNATURE|SELF_SIGNED|ALTNAME|ISSUER/;

/** The first token of each connection's inboxes. */
const inboxes = new WeakMap<NatsConnection, string>();
/** What the `nats` client calls them, where `connectToBus` did not make the connection. */
const DEFAULT_INBOX = '_INBOX';

export const inboxOf = (connection: NatsConnection): string => inboxes.get(connection) ?? DEFAULT_INBOX;

/**
 * Connects to the broker and stays connected: while a broker is away, at the start or later, the client tries again
 * without end. Requests meanwhile end at their own deadlines.
 *
 * @param url `nats://user:password@host:port`, or `tls://`, which demands TLS; several servers separated by commas
 * @param patient false for a command line, which should fail within seconds and not wait
 * @param caFile with `tls://`: the certificates, in PEM, that vouch for the broker's; else those that Node trusts
 * @throws Error a broker that is there, but not with a trusted certificate: to wait would not help
 */
export async function connectToBus(
  url: string,
  name: string,
  patient = true,
  caFile: string | null = null,
): Promise<NatsConnection> {
  endReplacedConnections();
  const servers = url.split(',').map((server) => new URL(server));
  const { username, password } = servers[0] as URL;
  const isTls = servers.some(({ protocol }) => protocol === 'tls:');
  const inboxPrefix = `_INBOX_${name}`;
  const options: ConnectionOptions = {
    name,
    servers: servers.map((server) => server.host),
    ...(username && { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    waitOnFirstConnect: patient,
    reconnect: patient,
    timeout: CONNECT_TIMEOUT_MS,
    // A broker whose users are just being changed refuses for a moment; else the client would give up until a restart.
    ignoreAuthErrorAbort: patient,
    // Answers arrive on these subjects: only this program's user may subscribe to them (deploy/nats/permissions.conf).
    inboxPrefix,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 100,
    // Without an end of its connection, only silence shows that the broker is gone; soon enough for the next requests.
    pingInterval: PING_INTERVAL_MS,
    maxPingOut: UNANSWERED_PINGS,
    // A stack trace captured with every request, which no one reads: BusClient turns its failures into refusals.
    noAsyncTraces: true,
    ...(isTls && { tls: caFile === null ? {} : { caFile } }),
  };
  if (isTls) await requireTrustedBroker(options);
  const connection = await connect(options);
  inboxes.set(connection, inboxPrefix);
  return connection;
}

/** A patient client would try again without end, and not say why. A broker that is away is no reason to fail. */
async function requireTrustedBroker(options: ConnectionOptions): Promise<void> {
  try {
    const connection = await connect({ ...options, waitOnFirstConnect: false, reconnect: false });
    await connection.close();
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: unknown };
    const wayOut = 'set NATS_CA_FILE to the certificate of the authority that signed it';
    if (code === (ErrorCode.ServerOptionNotAvailable as string))
      throw new Error('the broker offers no TLS, which NATS_URL demands with tls://');
    if (UNTRUSTED.test(String(code)) || UNTRUSTED.test(String(message).toUpperCase())) {
      throw new Error(`the broker's certificate is not trusted (${String(code)}): ${wayOut}`);
    }
    if (/doesn't exist/.test(String(message))) throw new Error('NATS_CA_FILE names no file');
  }
}
