import { isTokenCurrency, TOKEN_CURRENCIES, TokenCurrency } from '@stablecoin/chains/tokens';
import { toUnits } from '@stablecoin/chains/units';
import { decimalsOf } from '@stablecoin/money/currency';

/** Amounts of the ledger, for the currencies that have one. */
export type AmountsByCurrency = ReadonlyMap<TokenCurrency, string>;

const EXPECTED = `amounts by currency, such as ${TOKEN_CURRENCIES.map((currency) => `${currency}:100`).join(',')}`;

/** Reads `USDT:100,USDC:250.50`; each currency once, to the decimals that the ledger keeps. */
export function readAmounts(text: string): AmountsByCurrency {
  const amounts = new Map<TokenCurrency, string>();
  for (const part of text.split(',')) {
    const [, currency = '', amount = ''] = /^\s*([A-Z]+):(\d[\d.]*)\s*$/.exec(part) ?? [];
    if (!isTokenCurrency(currency) || amounts.has(currency) || !isAmount(currency, amount)) throw new Error(EXPECTED);
    amounts.set(currency, amount);
  }
  return amounts;
}

function isAmount(currency: TokenCurrency, amount: string): boolean {
  try {
    toUnits({ decimals: decimalsOf(currency) }, amount);
    return true;
  } catch {
    return false;
  }
}
