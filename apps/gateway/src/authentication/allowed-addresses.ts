import { AddressRanges } from '@stablecoin/contracts/wire/fields/address-range';
import { Caller } from './caller';

/** A caller is what one look-up of its key gave, so its ranges are made once in ten seconds. */
const rangesOf = new WeakMap<Caller, AddressRanges>();

/** Whether the caller's key may be used from the address; a key that names none may be used from everywhere. */
export function isAllowedFrom(caller: Caller, address: string): boolean {
  const { allowed_addresses: allowed = [] } = caller;
  if (allowed.length === 0) return true;
  const ranges = rangesOf.get(caller) ?? new AddressRanges(allowed);
  rangesOf.set(caller, ranges);
  return ranges.includes(address);
}
