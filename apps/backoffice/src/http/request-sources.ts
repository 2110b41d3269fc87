import { isIPv6 } from 'node:net';
import { Injectable } from '@nestjs/common';
import { ForwardedAddresses, networkOf, plainAddress } from '@stablecoin/http-answers/forwarded-addresses';
import type { Place } from '@stablecoin/people-store/sessions';
import type { FastifyRequest } from 'fastify';
import { BackofficeConfiguration } from '../backoffice.configuration';

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1)$/;

/** From where requests come. */
@Injectable()
export class RequestSources {
  private readonly forwarded: ForwardedAddresses;

  constructor({ trustedProxies }: BackofficeConfiguration) {
    this.forwarded = new ForwardedAddresses(trustedProxies);
  }

  /** By what callers are counted. */
  networkOf({ raw }: Pick<FastifyRequest, 'raw'>): string {
    return networkOf(this.forwarded.addressOf(raw));
  }

  of({ raw }: Pick<FastifyRequest, 'raw'>): Place {
    const address = this.forwarded.addressOf(raw);
    // A proxy on this machine that is not said to be one forwards for others.
    const isForwarded = raw.headers['x-forwarded-for'] !== undefined || raw.headers['forwarded'] !== undefined;
    const isThisMachine = LOOPBACK.test(plainAddress(raw.socket.remoteAddress ?? '')) && !isForwarded;
    return { family: isIPv6(address) ? 6 : 4, isThisMachine };
  }
}
