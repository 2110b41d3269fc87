import { isIP } from 'node:net';

/** Reads an address, or a network as address/bits, and gives it back as it was written. */
export function addressRange(text: string): string {
  const [address = '', bits, ...rest] = text.split('/');
  const bitsMax = isIP(address) === 6 ? 128 : 32;
  const isRange = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= bitsMax);
  if (isIP(address) !== 0 && !address.includes('%') && isRange && rest.length === 0) return text;
  throw new Error('addresses, or networks as address/bits, separated by commas');
}
