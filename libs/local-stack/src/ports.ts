// Loopback ports. The user chooses the gateway's, which must be free. Those of Postgres, NATS and the chains are drawn once
// and remembered, so that connection strings stay the same in later starts unless another program takes the ports.

import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { errorCode } from '@stablecoin/command-line/error-code';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import getPort from 'get-port';

const LOOPBACK = '127.0.0.1';

/** A free port of the loopback interface; get-port returns none twice within some seconds. */
export const freePort = () => getPort({ host: LOOPBACK });

/** Whether a program could listen there: listens briefly. Rejects on any error but a taken port. */
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

/** The gateway's port that the user gave; refused with one sentence when it is not free. */
export const requireGatewayPort = (text: string, host?: string): Promise<number> => requirePort('PORT', text, host);

/** The same of the console's. */
export const requireConsolePort = (text: string, host?: string): Promise<number> =>
  requirePort('BACKOFFICE_PORT', text, host);

async function requirePort(variable: string, text: string, host = LOOPBACK): Promise<number> {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new OperatorError(`${variable} must be a number from 0 to 65535, not "${text}".`);
  if (port === 0) return 0;
  const free = await isFree(port, host).catch((error: unknown) => {
    const code = errorCode(error) ?? 'unknown';
    const reason = code === 'EACCES' ? 'may not be opened by this user' : `can't be opened on ${host} (${code})`;
    throw new OperatorError(`Port ${port} ${reason}: choose another, e.g. ${variable}=8080 npm start.`);
  });
  if (!free) {
    const other = port === 65_535 ? 3000 : port + 1;
    throw new OperatorError(
      `Port ${port} is taken by another program: stop that one or choose another, e.g. ${variable}=${other} npm start.`,
    );
  }
  return port;
}

function readRemembered(file: string): Partial<Record<string, number>> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Partial<Record<string, number>>;
  } catch {
    return {}; // No file, or a half-written one after a crash: a port is drawn anew.
  }
}

/** The remembered port of `name` if it's free, else a new one. */
export async function rememberedPort(file: string, name: string): Promise<number> {
  const former = readRemembered(file)[name];
  if (former !== undefined && (await isFree(former))) return former;
  const port = await freePort();
  rememberPort(file, name, port);
  return port;
}

/** From now on the one of `name`, while it is free. */
export function rememberPort(file: string, name: string, port: number): void {
  // Read again: servers that start side by side remember theirs meanwhile.
  writeFileSync(file, JSON.stringify({ ...readRemembered(file), [name]: port }), { mode: 0o600 });
}
