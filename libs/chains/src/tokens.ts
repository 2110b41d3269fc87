import type { Currency } from '@stablecoin/money/currency';
import { EVM_NETWORKS, type EvmNetwork } from './chains';

export type TokenCurrency = Extract<Currency, 'USDT' | 'USDC'>;
export const TOKEN_CURRENCIES = ['USDT', 'USDC'] as const satisfies readonly TokenCurrency[];

export const isTokenCurrency = (text: string): text is TokenCurrency =>
  (TOKEN_CURRENCIES as readonly string[]).includes(text);

export interface Token {
  readonly network: EvmNetwork;
  readonly currency: TokenCurrency;
  /** The token's contract, in EIP-55 case. */
  readonly address: `0x${string}`;
  /** The contract's `decimals()`: 18 on BNB Smart Chain, 6 elsewhere. The ledger keeps 6 of them. */
  readonly decimals: number;
}

type Contract = readonly [address: `0x${string}`, decimals: number];

/** As Tether (tether.to/supported-protocols), Circle (developers.circle.com) and, on BNB Smart Chain, Binance publish them. */
const CONTRACTS: Readonly<Record<EvmNetwork, Readonly<Record<TokenCurrency, Contract>>>> = {
  erc20: {
    USDT: ['0xdAC17F958D2ee523a2206206994597C13D831ec7', 6],
    USDC: ['0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 6],
  },
  bep20: {
    USDT: ['0x55d398326f99059fF775485246999027B3197955', 18],
    USDC: ['0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d', 18],
  },
  polygon: {
    USDT: ['0xc2132D05D31c914a87C6611C10748AEb04B58e8F', 6],
    USDC: ['0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', 6],
  },
};

/** Every token that counts as money; any other contract is none, whatever it calls itself. */
export const TOKENS: readonly Token[] = EVM_NETWORKS.flatMap((network) =>
  TOKEN_CURRENCIES.map((currency): Token => {
    const [address, decimals] = CONTRACTS[network][currency];
    return { network, currency, address, decimals };
  }),
);

const byContract = new Map(TOKENS.map((token) => [contractKey(token.network, token.address), token]));
const byCurrency = new Map(TOKENS.map((token) => [`${token.network}:${token.currency}`, token]));

/** @param currency any currency; undefined for one without a token on the network */
export const tokenOf = (network: EvmNetwork, currency: Currency): Token | undefined =>
  byCurrency.get(`${network}:${currency}`);

/** @param address in any case */
export const tokenAt = (network: EvmNetwork, address: string): Token | undefined =>
  byContract.get(contractKey(network, address));

function contractKey(network: EvmNetwork, address: string): string {
  return `${network}:${address.toLowerCase()}`;
}
