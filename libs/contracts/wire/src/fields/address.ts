import { isAddress } from '@stablecoin/addresses/validate-address';
import { Network, NETWORKS } from '@stablecoin/money/currency';
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
      if (typeof value !== 'string') return false;
      // Without a known network there is nothing to judge by: the network's own rule refuses the request.
      return !NETWORKS.includes(network as Network) || isAddress(network as Network, value);
    },
  });
}
