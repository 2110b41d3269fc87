import { Injectable } from '@nestjs/common';
import { ForwardedAddresses, networkOf, plainAddress } from '@stablecoin/http-answers/forwarded-addresses';
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { GatewayConfiguration } from '../gateway.configuration';

/** Of which it is remembered that a valid key came from them, and for how long after it did. */
const CALLERS_MAX = 10_000;
const CALLER_MS = 60 * 60_000;

/**
 * By which address a caller is counted: the one that connects, or, where that is a trusted proxy, the last one in
 * X-Forwarded-For that no trusted proxy has. What stands before it was written by the caller. An IPv6 address counts as its
 * network of 64 bits.
 */
@Injectable()
export class ClientAddresses {
  private readonly forwarded: ForwardedAddresses;
  private readonly callers = new LRUCache<string, true>({ max: CALLERS_MAX, ttl: CALLER_MS });

  constructor({ trustedProxies }: GatewayConfiguration) {
    this.forwarded = new ForwardedAddresses(trustedProxies);
  }

  ofRequest(request: Pick<IncomingMessage, 'socket' | 'headers'>): string {
    return networkOf(this.exactOfRequest(request));
  }

  /** The caller's own address, for rules that name addresses: an IPv6 address whole. */
  exactOfRequest(request: Pick<IncomingMessage, 'socket' | 'headers'>): string {
    return this.forwarded.addressOf(request);
  }

  /** Undefined for a trusted proxy, behind which there are many callers. */
  ofConnection(remoteAddress: string): string | undefined {
    const address = plainAddress(remoteAddress);
    return this.forwarded.isTrustedProxy(address) ? undefined : networkOf(address);
  }

  /** A request of this address had a valid key. */
  rememberCaller(address: string): void {
    this.callers.set(address, true);
  }

  isCaller(address: string): boolean {
    return this.callers.has(address);
  }
}
