import { CHAINS, EvmNetwork } from '@stablecoin/chains/chains';
import { coinsOf } from '@stablecoin/chains/units';

/** Native coins for people: 1.25 ETH. */
export const coinsText = (network: EvmNetwork, wei: string): string => `${coinsOf(wei)} ${CHAINS[network].nativeCoin}`;
