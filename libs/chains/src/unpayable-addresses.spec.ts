import { isAddress } from '@stablecoin/addresses/validate-address';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TOKENS } from './tokens';
import { isUnpayable } from './unpayable-addresses';

const zeros = (tail: string) => `0x${tail.padStart(40, '0')}`;

it.each([
  ['zero', zeros('')],
  ['a precompiled contract', zeros('9')],
  ["Polygon's own coin as a contract", zeros('1010')],
  ['a system contract of BNB Smart Chain', zeros('2001')],
  ['where coins are burnt', zeros('dead')],
  ['Multicall3', '0xcA11bde05977b3631167028862bE2a173976CA11'],
  ...TOKENS.map(({ network, currency, address }) => [`${currency} on ${network}`, address]),
])('%s can not be paid, in any case', (_, address = '') => {
  for (const text of [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`])
    expect(isUnpayable(text)).toBe(true);
});

it.each([zeros('10000'), '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'])('%s can', (address) =>
  expect(isUnpayable(address)).toBe(false),
);

it('every contract of the list has its check digits', () => {
  const source = readFileSync(join(__dirname, 'unpayable-addresses.ts'), 'utf8');
  const listed = source.match(/'0x[0-9a-fA-F]{40}'/g)?.map((quoted) => quoted.slice(1, -1)) ?? [];
  expect(listed.length).toBeGreaterThan(5);
  expect(listed.filter((address) => !isAddress('erc20', address))).toEqual([]);
});
