import type { FastifyRequest } from 'fastify';

/** The first one of the name: a browser sends the own one, of the whole host, before any other. */
export function readCookie({ headers }: FastifyRequest, name: string): string | undefined {
  const prefix = `${name}=`;
  const found = (headers.cookie ?? '').split(';').find((part) => part.trim().startsWith(prefix));
  return found?.trim().slice(prefix.length);
}
