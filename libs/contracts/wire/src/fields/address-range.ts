import { BlockList, isIP } from 'node:net';
import { field } from './field';

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

/** A list of addresses and networks, each once; none: from everywhere. */
export function IsAddressRangeList(max: number): PropertyDecorator {
  return field({
    name: 'isAddressRangeList',
    code: 'invalid_address_range',
    message: `must be a list of up to ${max} addresses, or networks as address/bits, each once`,
    schema: { type: 'array', items: { type: 'string' }, maxItems: max, uniqueItems: true },
    check: (value) =>
      Array.isArray(value) &&
      value.length <= max &&
      new Set(value).size === value.length &&
      value.every((item) => typeof item === 'string' && isAddressRange(item)),
  });
}

function isAddressRange(text: string): boolean {
  try {
    return addressRange(text) === text;
  } catch {
    return false;
  }
}
