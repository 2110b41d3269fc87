import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { KeyMode } from '@stablecoin/contracts/customer/key-mode';
import { isLoopbackHost } from '@stablecoin/contracts/wire/loopback-host';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { CustomerConfiguration } from '../customer.configuration';
import { isPublicAddress } from './reachable-address';

/**
 * Which URLs can become endpoints, by their text; the addresses of a name are checked with each attempt, when they
 * matter.
 */
@Injectable()
export class WebhookUrls {
  constructor(private readonly configuration: CustomerConfiguration) {}

  /** @throws Refusal `validation_failed` for the field `url` */
  requireAllowed(url: string, mode: KeyMode): void {
    const { hostname } = new URL(url);
    if (isLoopbackHost(hostname)) {
      if (mode === 'test' && this.configuration.webhookAllowLoopback) return;
      throw Refusal.ofField('url', 'invalid_url', 'must be an https URL on a public host');
    }
    const host = hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(host) !== 0 && !isPublicAddress(host)) {
      throw Refusal.ofField('url', 'private_address', 'must not be an address that is not public');
    }
  }
}
