import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { AddressRanges } from '@stablecoin/contracts/wire/fields/address-range';
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { GatewayConfiguration } from '../gateway.configuration';

/** Of which it is remembered that a valid key came from them, and for how long after it did. */
const CALLERS_MAX = 10_000;
const CALLER_MS = 60 * 60_000;
const MAPPED_IPV4 = /^::ffff:(?=\d+\.)/i;
const PORT = /^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/;
const IPV6_GROUPS = 8;
/** 64 bits: the smallest network that a provider gives to one customer, who has all addresses in it. */
const NETWORK_GROUPS = 4;

/**
 * By which address a caller is counted: the one that connects, or, where that is a trusted proxy, the last one in
 * X-Forwarded-For that no trusted proxy has. What stands before it was written by the caller. An IPv6 address counts as its
 * network of 64 bits.
 */
@Injectable()
export class ClientAddresses {
  private readonly proxies: AddressRanges;
  private readonly callers = new LRUCache<string, true>({ max: CALLERS_MAX, ttl: CALLER_MS });

  constructor({ trustedProxies }: GatewayConfiguration) {
    this.proxies = new AddressRanges(trustedProxies);
  }

  ofRequest(request: Pick<IncomingMessage, 'socket' | 'headers'>): string {
    return networkOf(this.exactOfRequest(request));
  }

  /** The caller's own address, for rules that name addresses: an IPv6 address whole. */
  exactOfRequest({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string {
    let address = plainAddress(socket.remoteAddress ?? '');
    const forwarded = headers['x-forwarded-for'] ?? '';
    const hops = String(forwarded).split(',');
    while (this.isTrustedProxy(address) && hops.length > 0) {
      const before = plainAddress(hops.pop() ?? '');
      // A proxy that doesn't know its peer writes a word such as `unknown`: then the proxy is all that is known.
      if (isIP(before) === 0) break;
      address = before;
    }
    return address;
  }

  /** Undefined for a trusted proxy, behind which there are many callers. */
  ofConnection(remoteAddress: string): string | undefined {
    const address = plainAddress(remoteAddress);
    return this.isTrustedProxy(address) ? undefined : networkOf(address);
  }

  /** A request of this address had a valid key. */
  rememberCaller(address: string): void {
    this.callers.set(address, true);
  }

  isCaller(address: string): boolean {
    return this.callers.has(address);
  }

  private isTrustedProxy(address: string): boolean {
    return this.proxies.includes(address);
  }
}

/** Without a port, a zone, or the prefix under which IPv4 connects to an IPv6 socket. */
function plainAddress(text: string): string {
  const trimmed = text.trim();
  const [, inBrackets, beforePort] = PORT.exec(trimmed) ?? [];
  const [address = ''] = (inBrackets ?? beforePort ?? trimmed).split('%', 1);
  return address.replace(MAPPED_IPV4, '');
}

/** An IPv4 address as it is; the first 64 bits of an IPv6 address, in one spelling. */
function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('::', 2);
  const first = groupsOf(head);
  const last = groupsOf(tail ?? '');
  const zeros = Array<string>(tail === undefined ? 0 : Math.max(0, IPV6_GROUPS - first.length - last.length)).fill('0');
  const network = [...first, ...zeros, ...last].slice(0, NETWORK_GROUPS);
  return `${network.map((group) => parseInt(group, 16).toString(16)).join(':')}::/64`;
}

/** An IPv4 address at the end of an IPv6 one stands for two groups. */
const groupsOf = (text: string): string[] =>
  text === '' ? [] : text.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));
