import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { AddressRanges } from '@stablecoin/contracts/wire/fields/address-range';

const MAPPED_IPV4 = /^::ffff:(?=\d+\.)/i;
const PORT = /^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/;
const IPV6_GROUPS = 8;
/** 64 bits: the smallest network that a provider gives to one customer, who has all addresses in it. */
const NETWORK_GROUPS = 4;

/**
 * From where a request comes: the address that connects, or, where that is a trusted proxy, the last one in X-Forwarded-For
 * that no trusted proxy has. What stands before it was written by the caller.
 */
export class ForwardedAddresses {
  private readonly proxies: AddressRanges;

  constructor(trustedProxies: readonly string[]) {
    this.proxies = new AddressRanges(trustedProxies);
  }

  addressOf({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string {
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

  isTrustedProxy(address: string): boolean {
    return this.proxies.includes(address);
  }
}

/** Without a port, a zone, or the prefix under which IPv4 connects to an IPv6 socket. */
export function plainAddress(text: string): string {
  const trimmed = text.trim();
  const [, inBrackets, beforePort] = PORT.exec(trimmed) ?? [];
  const [address = ''] = (inBrackets ?? beforePort ?? trimmed).split('%', 1);
  return address.replace(MAPPED_IPV4, '');
}

/** By what callers are counted: an IPv4 address as it is; the first 64 bits of an IPv6 address, in one spelling. */
export function networkOf(address: string): string {
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
