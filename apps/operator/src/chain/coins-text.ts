import { CHAINS, EvmNetwork } from '@stablecoin/chains/chains';

const DECIMALS = 18;

/** Native coins for people: 1.25 ETH. */
export function coinsText(network: EvmNetwork, wei: string): string {
  const digits = wei.padStart(DECIMALS + 1, '0');
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '');
  return `${digits.slice(0, -DECIMALS)}${fraction === '' ? '' : `.${fraction}`} ${CHAINS[network].nativeCoin}`;
}
