import { isAddress } from '@stablecoin/addresses/validate-address';
import { Network } from '@stablecoin/money/currency';
import { field } from './field';

/** A crypto address that is valid, checksum included, on the network named by the field `network` beside it. */
export function IsAddressOfNetwork(): PropertyDecorator {
  return field({
    name: 'isAddressOfNetwork',
    code: 'invalid_address',
    message: 'must be a valid address on the given network',
    schema: { type: 'string', maxLength: 100 },
    check: (value, args) => {
      const { network } = args.object as { network?: unknown };
      return typeof value === 'string' && typeof network === 'string' && isAddress(network as Network, value);
    },
  });
}
