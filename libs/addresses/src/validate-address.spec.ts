import { base58 } from '@scure/base';
import type { Network } from '@stablecoin/money/currency';
import { base58check } from './address-text';
import { isAddress } from './validate-address';

const EVM_NETWORKS: Network[] = ['erc20', 'bep20', 'polygon'];

/** The examples of EIP-55, https://eips.ethereum.org/EIPS/eip-55. */
const EIP_55 = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
];
const [, , , , MIXED] = EIP_55 as [string, string, string, string, string];

/** The token contract of USDT on Tron and the mint of USDC on Solana, as their issuers publish them. */
const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const SOLANA = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

describe.each(EVM_NETWORKS)('addresses of %s', (network) => {
  it.each(EIP_55)('%s is one, also without its case', (address) => {
    const hex = address.slice(2);
    expect(isAddress(network, address)).toBe(true);
    expect(isAddress(network, `0x${hex.toLowerCase()}`)).toBe(true);
    expect(isAddress(network, `0x${hex.toUpperCase()}`)).toBe(true);
  });

  it.each([
    ['one letter in the wrong case', MIXED.replace('aA', 'AA')],
    ['a changed digit', `${MIXED.slice(0, -1)}e`],
    ['every letter in the opposite case', `0x${swapCase(MIXED.slice(2))}`],
    ['no 0x', MIXED.slice(2)],
    ['0X', MIXED.replace('0x', '0X')],
    ['39 digits', MIXED.toLowerCase().slice(0, -1)],
    ['41 digits', `${MIXED.toLowerCase()}0`],
    ['a letter that is no digit', `${MIXED.toLowerCase().slice(0, -1)}g`],
    ['space before', ` ${MIXED}`],
    ['a line break behind', `${MIXED}\n`],
    ['nothing', ''],
    ['a Tron address', TRON],
    ['a Solana address', SOLANA],
  ])('%s is none', (_case, text) => {
    expect(isAddress(network, text)).toBe(false);
  });
});

describe('addresses of trc20', () => {
  it.each([TRON, 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'])('%s is one', (address) => {
    expect(isAddress('trc20', address)).toBe(true);
  });

  const account = base58check.decode(TRON).subarray(1);
  it.each([
    ['a changed character', `${TRON.slice(0, -1)}u`],
    ['two characters swapped', TRON.replace('R7', '7R')],
    ['another case', TRON.toLowerCase()],
    ['a character outside base58', TRON.replace('R', '0')],
    ['the prefix of the test net that starts differently', base58check.encode(Uint8Array.of(0xa0, ...account))],
    ['a neighbouring prefix', base58check.encode(Uint8Array.of(0x42, ...account))],
    ['19 account bytes', base58check.encode(Uint8Array.of(0x41, ...account.subarray(1)))],
    ['21 account bytes', base58check.encode(Uint8Array.of(0x41, ...account, 0))],
    ['no checksum', base58.encode(Uint8Array.of(0x41, ...account))],
    ['very long text', 'T'.repeat(1_000_000)],
    ['the hex form', `41${Buffer.from(account).toString('hex')}`],
    ['space behind', `${TRON} `],
    ['nothing', ''],
    ['an EVM address', MIXED],
    ['a Solana address', SOLANA],
  ])('%s is none', (_case, text) => {
    expect(isAddress('trc20', text)).toBe(false);
  });
});

describe('addresses of solana', () => {
  it.each([
    ['a mint', SOLANA],
    ['32 zero bytes, the shortest text', '1'.repeat(32)],
    ['32 bytes of 255, the longest text', base58.encode(new Uint8Array(32).fill(255))],
  ])('%s is one', (_case, address) => {
    expect(isAddress('solana', address)).toBe(true);
  });

  it.each([
    ['31 bytes', base58.encode(new Uint8Array(31).fill(255))],
    ['33 bytes', base58.encode(new Uint8Array(33).fill(1))],
    ['33 bytes in 44 characters', '1'.repeat(1) + base58.encode(new Uint8Array(32).fill(9))],
    ['a character outside base58', SOLANA.replace('E', 'O')],
    ['space behind', `${SOLANA} `],
    ['nothing', ''],
    ['very long text', '2'.repeat(1_000_000)],
    ['an EVM address', MIXED],
    ['a Tron address', TRON],
  ])('%s is none', (_case, text) => {
    expect(isAddress('solana', text)).toBe(false);
  });
});

function swapCase(text: string): string {
  return Array.from(text, (c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join('');
}
