import { Injectable } from '@nestjs/common';
import { WAY_MINUTES } from '@stablecoin/people-store/identities';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ConsoleOrigin } from '../http/console-origin';
import { readCookie } from '../http/cookies';

const NAME = '__Host-oidc';
const NAME_WITHOUT_TLS = 'oidc';

/** What ties the way back from the provider to the browser that went there. The provider's page sends the browser here: hence `Lax`. */
@Injectable()
export class ProviderCookie {
  constructor(private readonly console: ConsoleOrigin) {}

  read(request: FastifyRequest): string | undefined {
    return readCookie(request, this.name);
  }

  set(reply: FastifyReply, value: string): void {
    reply.header('set-cookie', `${this.name}=${value}; ${this.attributes}; Max-Age=${WAY_MINUTES * 60}`);
  }

  clear(reply: FastifyReply): void {
    reply.header('set-cookie', `${this.name}=; ${this.attributes}; Max-Age=0`);
  }

  private get name(): string {
    return this.console.isEncrypted ? NAME : NAME_WITHOUT_TLS;
  }

  private get attributes(): string {
    return `Path=/; HttpOnly; SameSite=Lax${this.console.isEncrypted ? '; Secure' : ''}`;
  }
}
