import { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';

const QUERY_TIMEOUT_MS = 2_000;
const QUERY_TRIES = 2;
const THIS_MACHINE: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * The addresses of a host. Asks the name servers directly: the operating system's look-up would occupy one of the
 * process's four threads for as long as a slow name server takes.
 */
@Injectable()
export class HostAddresses {
  /** @param hostname as `URL` gives it; IPv6 in brackets. An empty list when there is no such host. */
  async of(hostname: string): Promise<LookupAddress[]> {
    const host = hostname.replace(/^\[(.*)\]$/, '$1');
    const family = isIP(host);
    if (family !== 0) return [{ address: host, family }];
    if (host === 'localhost') return THIS_MACHINE;
    const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return [...addressesIn(ipv4, 4), ...addressesIn(ipv6, 6)];
  }
}

function addressesIn(answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
}
