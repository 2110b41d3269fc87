import { isAddress } from '@stablecoin/addresses/validate-address';
import { isEvmNetwork } from '@stablecoin/chains/chains';
import { isUnpayable } from '@stablecoin/chains/unpayable-addresses';
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

/** The code of an address that is valid and must not be paid. */
export const UNPAYABLE_ADDRESS = 'unpayable_address';

/**
 * An address of a payee: not zero, no token and none of the well-known contracts, which would keep what is sent there. Beside
 * `IsAddressOfNetwork`, which says whether it is an address at all.
 */
export function IsPayable(): PropertyDecorator {
  return field({
    name: 'isPayable',
    code: UNPAYABLE_ADDRESS,
    message: 'must not be an address that no one has a key of',
    schema: { type: 'string' },
    check: (value, args) => {
      const { network } = args.object as { network?: unknown };
      const isOnChain = NETWORKS.includes(network as Network) && isEvmNetwork(network as Network);
      return !isOnChain || typeof value !== 'string' || !isUnpayable(value);
    },
  });
}
