import { connect, NatsConnection } from 'nats';
import { endReplacedConnections } from './replaced-connections';

/** Names the process's one connection to the bus among the providers. */
export const BUS_CONNECTION = Symbol('BUS_CONNECTION');

const CONNECT_TIMEOUT_MS = 3_000;
/** A broker that owes two answers when the next would be asked for is gone: noticed within 3 s of silence. */
const PING_INTERVAL_MS = 1_000;
const UNANSWERED_PINGS = 2;

/**
 * Connects to the broker and stays connected: a broker that is away, at the start or later, is waited for, for as
 * long as it takes. Requests meanwhile end at their own deadlines.
 *
 * @param url `nats://user:password@host:port`; several servers separated by commas
 * @param patient false for a command line, which rather fails within seconds than waits
 */
export async function connectToBus(url: string, name: string, patient = true): Promise<NatsConnection> {
  endReplacedConnections();
  const servers = url.split(',').map((server) => new URL(server));
  const { username, password } = servers[0] as URL;
  return connect({
    name,
    servers: servers.map((server) => server.host),
    ...(username && { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    waitOnFirstConnect: patient,
    reconnect: patient,
    timeout: CONNECT_TIMEOUT_MS,
    // A broker whose users are just being changed refuses for a moment; only a restart would ever try again.
    ignoreAuthErrorAbort: patient,
    // Answers come to where, with a user per program, this one alone may listen (deploy/nats/permissions.conf).
    inboxPrefix: `_INBOX_${name}`,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 100,
    // A broker that is gone without a word is noticed by its silence, soon enough for the requests that come after.
    pingInterval: PING_INTERVAL_MS,
    maxPingOut: UNANSWERED_PINGS,
    // A stack trace captured with every request, which no one reads: BusClient turns its failures into refusals.
    noAsyncTraces: true,
  });
}
