import { execFileSync } from 'node:child_process';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { eventually } from '@stablecoin/testing/eventually';
import { attackerClient, type Load, type LoadRun } from './load';

const DELETED_WITHIN = { timeoutMs: 15_000, pollMs: 250 };
const DRIP_MS = 100;
/** As large as the service reads of an answer's headers, nearly. */
const ODD_HEADER_BYTES = 15_000;
const ENDLESS_PART = Buffer.alloc(64 * 1024, 'x');
const CHUNKED = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';

/** What a receiver of webhooks does with a connection on which something has arrived. */
type Receiver = (socket: Socket, number: number) => void;

export const RECEIVERS = {
  /** Takes every connection and never answers. */
  hangs: () => undefined,
  accepts: (socket) => socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n'),
  fails: (socket) => socket.end('HTTP/1.1 500 Oh\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'),
  /** In turns: a byte now and then, a body without an end, and a redirect with headers as large as they may be. */
  answersOddly: (socket, number) => [dripping, endless, redirecting][number % 3]?.(socket),
  /** Over TLS, with a certificate that its sender refuses when both have done all the work. */
  speaksTls: () => undefined,
} satisfies Record<string, Receiver>;

/** Endpoints of the attacker, while `load` goes on. */
export const withWebhooks =
  (count: number, receiver: keyof typeof RECEIVERS, load: (webhookIds: readonly string[]) => Load): Load =>
  async (run) => {
    const server = await serving(receiver);
    const scheme = receiver === 'speaksTls' ? 'https' : 'http';
    const ids = await createWebhooks(run, count, `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`);
    try {
      await load(ids)(run);
    } finally {
      await deleteWebhooks(run, ids);
    }
  };

export async function serving(receiver: keyof typeof RECEIVERS): Promise<Server> {
  let number = 0;
  const take = (socket: Socket): void => {
    const own = (number += 1);
    socket.on('error', () => undefined).resume();
    socket.once('data', () => RECEIVERS[receiver](socket, own));
  };
  const server = receiver === 'speaksTls' ? createTlsServer(ownCertificate(), take) : createServer(take);
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return server;
}

/** A key and its certificate, signed by itself. */
function ownCertificate(): { key: string; cert: string } {
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const text = execFileSync(
    'openssl',
    ['req', '-x509', ...curve, '-subj', '/CN=receiver', '-keyout', '-', '-out', '-'],
    {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  return { key: text, cert: text };
}

function dripping(socket: Socket): void {
  socket.write(CHUNKED);
  const timer = setInterval(() => socket.write('1\r\nx\r\n'), DRIP_MS);
  socket.once('close', () => clearInterval(timer));
}

function endless(socket: Socket): void {
  socket.write(CHUNKED);
  const next = (): void => {
    if (socket.destroyed) return;
    socket.write(`${ENDLESS_PART.length.toString(16)}\r\n`);
    socket.write(ENDLESS_PART);
    if (socket.write('\r\n')) setImmediate(next);
    else socket.once('drain', next);
  };
  next();
}

function redirecting(socket: Socket): void {
  socket.end(
    `HTTP/1.1 302 Found\r\nlocation: /\r\nx-filler: ${'a'.repeat(ODD_HEADER_BYTES)}\r\ncontent-length: 0\r\n\r\n`,
  );
}

async function createWebhooks(run: LoadRun, count: number, origin: string): Promise<string[]> {
  const client = attackerClient(run, count);
  const created = Array.from({ length: count }, async (_, number) => {
    const body = { url: `${origin}/${number}` };
    return (await run.tally.outcomeOf(client.post<{ id: string }>('/webhooks', body)))?.body.data.id;
  });
  const ids = (await Promise.all(created)).filter((id) => id !== undefined);
  if (ids.length < count) run.tally.note(`${ids.length} endpoints, not ${count}`);
  return ids;
}

/**
 * The next attack is not to be slowed by deliveries of this one. While the attacker is over a limit, it asks again; what is
 * left after that is missing from the next attack's endpoints, which says so.
 */
async function deleteWebhooks(run: LoadRun, ids: readonly string[]): Promise<void> {
  const client = attackerClient(run, 1);
  const isGone = async (id: string) => [200, 204, 404].includes((await client.delete(`/webhooks/${id}`)).status);
  for (const id of ids)
    await eventually(`endpoint ${id} deleted`, () => isGone(id), DELETED_WITHIN).catch(() => undefined);
}
