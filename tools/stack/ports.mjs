// Loopback ports. The gateway's is the user's choice and must be free; those of Postgres and NATS are drawn by the kernel
// once and remembered, so that connection strings stay the same from start to start as long as nobody else takes them.

import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { Refusal } from './terminal.mjs';

const LOOPBACK = '127.0.0.1';

/** Listens for an instant. Port 0 asks the kernel to choose; resolves to the port, or undefined when it's taken. */
export function tryPort(port, host = LOOPBACK) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen({ port, host, exclusive: true }, () => {
      const chosen = server.address().port;
      server.close(() => resolve(chosen));
    });
  });
}

/** The gateway's port as the user gave it, refused with one sentence when it can't be had. */
export async function requireGatewayPort(text, host = LOOPBACK) {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new Refusal(`PORT must be a number from 0 to 65535, not "${text}".`);
  if (port === 0) return 0;
  let free;
  try {
    free = await tryPort(port, host);
  } catch (error) {
    const reason =
      error.code === 'EACCES' ? 'may not be opened by this user' : `can't be opened on ${host} (${error.code})`;
    throw new Refusal(`Port ${port} ${reason}: choose another, e.g. PORT=8080 npm start.`);
  }
  if (free === undefined) {
    const other = port === 65_535 ? 3000 : port + 1;
    throw new Refusal(
      `Port ${port} is taken by another program: stop that one or choose another, e.g. PORT=${other} npm start.`,
    );
  }
  return port;
}

function readRemembered(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {}; // Nothing remembered, or half a file after a crash: the kernel chooses anew.
  }
}

/** The remembered port of `name` if it's free, else a new one. */
export async function rememberedPort(file, name) {
  const remembered = readRemembered(file);
  const port = (remembered[name] && (await tryPort(remembered[name]))) || (await tryPort(0));
  if (port !== remembered[name]) writeFileSync(file, JSON.stringify({ ...remembered, [name]: port }), { mode: 0o600 });
  return port;
}
