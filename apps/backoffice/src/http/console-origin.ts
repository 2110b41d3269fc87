import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { BackofficeConfiguration } from '../backoffice.configuration';
import { ConsoleRefusal } from './console-refusal';

const READING: readonly string[] = ['GET', 'HEAD'];

/** Where people reach the console. */
@Injectable()
export class ConsoleOrigin {
  private listening: string | undefined;

  constructor(private readonly configuration: BackofficeConfiguration) {}

  /** Where it listens, known once it does. */
  listensAt(origin: string): void {
    this.listening = origin;
  }

  get origin(): string {
    return this.configuration.consoleOrigin ?? this.listening ?? '';
  }

  get isEncrypted(): boolean {
    return this.configuration.consoleOrigin?.startsWith('https:') ?? false;
  }

  /** Refuses what another site's page has a browser ask. A browser names the page's origin with all that is no GET. */
  require({ method, headers }: FastifyRequest): void {
    if (READING.includes(method)) return;
    if (headers.origin !== this.origin) throw new ConsoleRefusal('forged_origin');
  }
}
