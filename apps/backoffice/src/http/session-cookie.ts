import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ConsoleOrigin } from './console-origin';
import { readCookie } from './cookies';

/** Takes no cookie that another host of the same domain has set. Browsers want TLS for it: without, it has a plain name. */
const NAME = '__Host-session';
const NAME_WITHOUT_TLS = 'session';

/** The cookie that names a session. Scripts don't see it, and no other site's page has it sent. */
@Injectable()
export class SessionCookie {
  constructor(private readonly console: ConsoleOrigin) {}

  read(request: FastifyRequest): string | undefined {
    return readCookie(request, this.name);
  }

  set(reply: FastifyReply, token: string): void {
    reply.header('set-cookie', `${this.name}=${token}; ${this.attributes}`);
  }

  clear(reply: FastifyReply): void {
    reply.header('set-cookie', `${this.name}=; ${this.attributes}; Max-Age=0`);
  }

  private get name(): string {
    return this.console.isEncrypted ? NAME : NAME_WITHOUT_TLS;
  }

  private get attributes(): string {
    return `Path=/; HttpOnly; SameSite=Strict${this.console.isEncrypted ? '; Secure' : ''}`;
  }
}
