import { BlockList, isIP } from 'node:net';

/**
 * The addresses that events may be sent to: public ones. IPv4: all that the registry of special-purpose addresses (RFC
 * 6890 and later) does not list. IPv6: the one block of global addresses, 2000::/3, except those that contain IPv4
 * addresses (Teredo, 6to4), documentation and benchmarks; private, link-local, mapped and translated ones are outside
 * it.
 */
const RESERVED_IPV4: readonly [network: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Link-local, and with 169.254.169.254 what clouds tell their machines.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
const RESERVED_IPV6: readonly [network: string, prefix: number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

const reserved = new BlockList();
RESERVED_IPV4.forEach(([network, prefix]) => reserved.addSubnet(network, prefix, 'ipv4'));
RESERVED_IPV6.forEach(([network, prefix]) => reserved.addSubnet(network, prefix, 'ipv6'));

const givenOut = new BlockList();
givenOut.addSubnet('2000::', 3, 'ipv6');

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** @param address as a socket takes it: no brackets, no zone */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !reserved.check(address, 'ipv4');
  return isIP(address) === 6 && givenOut.check(address, 'ipv6') && !reserved.check(address, 'ipv6');
}

/** This machine, for the endpoints of test keys. A mapped IPv4 address is not taken for one. */
export function isLoopbackAddress(address: string): boolean {
  if (isIP(address) === 4) return loopback.check(address, 'ipv4');
  return isIP(address) === 6 && !address.includes('.') && !/^::ffff:/i.test(address) && loopback.check(address, 'ipv6');
}
