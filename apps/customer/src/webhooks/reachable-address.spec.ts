import { isLoopbackAddress, isPublicAddress } from './reachable-address';

describe('addresses that events may be sent to', () => {
  it.each([
    ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '128.0.0.1'],
    ...['169.253.255.255', '172.15.255.255', '172.32.0.0', '192.167.255.255', '198.17.255.255', '223.255.255.255'],
    ...['2600::1', '2a00:1450:4001:81b::200e', '3ffe:ffff::1', '2001:200::1'],
  ])('%s is public', (address) => {
    expect([isPublicAddress(address), isLoopbackAddress(address)]).toEqual([true, false]);
  });

  it.each([
    ...['0.0.0.0', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.127.255.255', '169.254.169.254', '172.16.0.1'],
    ...['172.31.255.255', '192.0.0.192', '192.0.2.1', '192.168.0.1', '198.18.0.1', '198.19.255.255', '198.51.100.1'],
    ...['203.0.113.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
    ...['::', 'fc00::1', 'fd12:3456::1', 'fd00:ec2::254', 'fe80::1', 'fec0::1', 'ff02::1', '64:ff9b::7f00:1'],
    ...[
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '::ffff:10.0.0.1',
      '::127.0.0.1',
      '2002:7f00:1::',
      '2001::1',
      '2001:db8::1',
    ],
    ...['100::1', '3fff::1', 'not an address', '', '127.1', '0x7f000001'],
  ])('%s is not, and is not this machine', (address) => {
    expect([isPublicAddress(address), isLoopbackAddress(address)]).toEqual([false, false]);
  });

  it.each(['127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1'])('%s is this machine', (address) => {
    expect([isPublicAddress(address), isLoopbackAddress(address)]).toEqual([false, true]);
  });
});
