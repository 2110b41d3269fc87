import type { IncomingMessage } from 'node:http';
import { GatewayConfiguration } from '../gateway.configuration';
import { addressRange } from '@stablecoin/contracts/wire/fields/address-range';
import { ClientAddresses } from './client-addresses';

const behind = (...trustedProxies: string[]) =>
  new ClientAddresses(Object.assign(new GatewayConfiguration(), { trustedProxies }));

const requestFrom = (remoteAddress: string, forwardedFor?: string) =>
  ({
    socket: { remoteAddress },
    headers: { ...(forwardedFor !== undefined && { 'x-forwarded-for': forwardedFor }) },
  }) as unknown as IncomingMessage;

describe('the address of a caller', () => {
  it.each([
    ['connects itself', '192.0.2.1', undefined, '192.0.2.1'],
    ['claims to be forwarded, by no trusted proxy', '192.0.2.1', '198.51.100.7', '192.0.2.1'],
    ['comes through a trusted proxy', '10.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['comes through two of them', '10.0.0.1', '198.51.100.7, 10.9.9.9', '198.51.100.7'],
    ['writes addresses of its own before', '10.0.0.1', '203.0.113.1, 198.51.100.7', '198.51.100.7'],
    ['comes through a proxy that adds nothing', '10.0.0.1', undefined, '10.0.0.1'],
    ['is unknown to its proxy', '10.0.0.1', '198.51.100.7, unknown', '10.0.0.1'],
    ['is a proxy itself', '10.0.0.1', '10.0.0.2', '10.0.0.2'],
    ['comes with a port', '10.0.0.1', '198.51.100.7:4711', '198.51.100.7'],
    ['has an IPv6 address with a port', '10.0.0.1', '[2001:db8:1:2::5]:4711', '2001:db8:1:2::/64'],
    ['connects over IPv6', '2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1:2::/64'],
    ['has zeros in its network', '2001:db8::5', undefined, '2001:db8:0:0::/64'],
    ['has zeros at its end', '2001:DB8:01:2:3::', undefined, '2001:db8:1:2::/64'],
    ['is this machine', '::1', undefined, '0:0:0:0::/64'],
    ['connects from IPv4 to an IPv6 socket', '::ffff:192.0.2.1', undefined, '192.0.2.1'],
    ['comes through a trusted proxy on such a socket', '::ffff:10.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['comes through a trusted proxy on IPv6', 'fd00::1', '198.51.100.7', '198.51.100.7'],
  ])('that %s', (_what, peer, forwardedFor, expected) => {
    expect(behind('10.0.0.0/8', 'fd00::/8').ofRequest(requestFrom(peer, forwardedFor))).toBe(expected);
  });

  it('of a connection is none for a trusted proxy, behind which there are many callers', () => {
    const addresses = behind('10.0.0.1');
    expect([addresses.ofConnection('10.0.0.1'), addresses.ofConnection('10.0.0.2')]).toEqual([undefined, '10.0.0.2']);
  });
});

describe('addressRange', () => {
  it.each(['10.0.0.1', '10.0.0.0/8', '2001:db8::/32', '::1'])('takes %s', (text) => {
    expect(addressRange(text)).toBe(text);
  });

  it.each(['', '10.0.0', '10.0.0.0/33', '10.0.0.0/0', '::/129', '10.0.0.0/8/8', 'host', '10.0.0.0/', 'fe80::1%eth0'])(
    'refuses %s',
    (text) => {
      expect(() => addressRange(text)).toThrow('addresses, or networks');
    },
  );
});
