/** The networks on which a stablecoin wallet can have a deposit address, as they are written on the wire. */
export const NETWORKS = ['erc20', 'bep20', 'solana', 'trc20', 'polygon'] as const;

export type Network = (typeof NETWORKS)[number];

export type AssetType = 'FIAT' | 'STABLECOIN';

interface CurrencyFacts {
  readonly assetType: AssetType;
  /** Decimals of the currency itself: cents for fiat, the token contract's `decimals()` for stablecoins. */
  readonly decimals: number;
  /** Networks the issuer supports and we accept; empty for fiat. */
  readonly networks: readonly Network[];
}

/** Every currency of the service. Codes are upper case; callers that accept any case raise it first. */
export const CURRENCIES = {
  USDC: { assetType: 'STABLECOIN', decimals: 6, networks: ['erc20', 'bep20', 'solana', 'polygon'] },
  USDT: { assetType: 'STABLECOIN', decimals: 6, networks: ['erc20', 'bep20', 'solana', 'trc20', 'polygon'] },
  USD: { assetType: 'FIAT', decimals: 2, networks: [] },
  NGN: { assetType: 'FIAT', decimals: 2, networks: [] },
  GBP: { assetType: 'FIAT', decimals: 2, networks: [] },
  EUR: { assetType: 'FIAT', decimals: 2, networks: [] },
  CAD: { assetType: 'FIAT', decimals: 2, networks: [] },
} as const satisfies Record<string, CurrencyFacts>;

export type Currency = keyof typeof CURRENCIES;

/** Exact, case included. `hasOwn`, so that `constructor` and `__proto__` are no currencies. */
export function isCurrency(text: string): text is Currency {
  return Object.hasOwn(CURRENCIES, text);
}

/** Networks of a currency, in the order of publication; empty for fiat. */
export function networksOf(currency: Currency): readonly Network[] {
  return CURRENCIES[currency].networks;
}

export function assetTypeOf(currency: Currency): AssetType {
  return CURRENCIES[currency].assetType;
}

/** 2 for fiat, 6 for stablecoins. */
export function decimalsOf(currency: Currency): number {
  return CURRENCIES[currency].decimals;
}
