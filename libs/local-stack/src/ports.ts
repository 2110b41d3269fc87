// Loopback ports. The gateway's is the user's choice and must be free; those of Postgres and NATS are drawn once and
// remembered, so that connection strings stay the same from start to start as long as no other program takes them.

import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { errorCode } from '@stablecoin/command-line/error-code';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import getPort from 'get-port';

const LOOPBACK = '127.0.0.1';

/** A free port of the loopback interface; get-port gives none twice within some seconds. */
export const freePort = () => getPort({ host: LOOPBACK });

/** Whether a program could listen there: listens for an instant. Rejects for another reason than that the port is taken. */
export function isFree(port: number, host = LOOPBACK): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => {
      if (errorCode(error) === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** The gateway's port as the user gave it, refused with one sentence when it can't be had. */
export async function requireGatewayPort(text: string, host = LOOPBACK): Promise<number> {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new OperatorError(`PORT must be a number from 0 to 65535, not "${text}".`);
  if (port === 0) return 0;
  const free = await isFree(port, host).catch((error: unknown) => {
    const code = errorCode(error) ?? 'unknown';
    const reason = code === 'EACCES' ? 'may not be opened by this user' : `can't be opened on ${host} (${code})`;
    throw new OperatorError(`Port ${port} ${reason}: choose another, e.g. PORT=8080 npm start.`);
  });
  if (!free) {
    const other = port === 65_535 ? 3000 : port + 1;
    throw new OperatorError(
      `Port ${port} is taken by another program: stop that one or choose another, e.g. PORT=${other} npm start.`,
    );
  }
  return port;
}

function readRemembered(file: string): Partial<Record<string, number>> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Partial<Record<string, number>>;
  } catch {
    return {}; // Nothing remembered, or half a file after a crash: a port is drawn anew.
  }
}

/** The remembered port of `name` if it's free, else a new one. */
export async function rememberedPort(file: string, name: string): Promise<number> {
  const remembered = readRemembered(file);
  const former = remembered[name];
  if (former !== undefined && (await isFree(former))) return former;
  const port = await freePort();
  writeFileSync(file, JSON.stringify({ ...remembered, [name]: port }), { mode: 0o600 });
  return port;
}
