import { checksummed } from './address-text';

const EVM_PATTERN = /^0x[0-9a-f]{40}$/i;

/** The one text under which an address is kept: of EVM networks the one with the checksum, whatever case its letters have. */
export const canonicalAddress = (address: string): string =>
  EVM_PATTERN.test(address) ? checksummed(address.slice(2).toLowerCase()) : address;
