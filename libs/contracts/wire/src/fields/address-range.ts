import { BlockList, isIP } from 'node:net';

/** Reads an address, or a network as address/bits, and gives it back as it was written. */
export function addressRange(text: string): string {
  const [address = '', bits, ...rest] = text.split('/');
  const bitsMax = isIP(address) === 6 ? 128 : 32;
  const isRange = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= bitsMax);
  if (isIP(address) !== 0 && !address.includes('%') && isRange && rest.length === 0) return text;
  throw new Error('addresses, or networks as address/bits, separated by commas');
}

/** Which addresses are in some of these ranges. */
export class AddressRanges {
  private readonly ranges = new BlockList();
  private readonly isEmpty: boolean;

  /** @param ranges each as `addressRange` reads it */
  constructor(ranges: readonly string[]) {
    this.isEmpty = ranges.length === 0;
    for (const range of ranges) {
      const [address = '', bits] = range.split('/', 2);
      this.ranges.addSubnet(address, Number(bits ?? (isIP(address) === 6 ? 128 : 32)), familyOf(address));
    }
  }

  /** An IPv4 address, also where it is written as an IPv6 one, is in the IPv4 ranges. False for what is no address. */
  includes(address: string): boolean {
    // Asked for each request, and a look into a BlockList makes an object of the address.
    return !this.isEmpty && isIP(address) !== 0 && this.ranges.check(address, familyOf(address));
  }
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
