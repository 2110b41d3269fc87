/** What the operator has set of how much may be where, in units of the tokens' contracts. */
import { EvmNetwork } from '@stablecoin/chains/chains';
import { TOKEN_CURRENCIES, TokenCurrency, tokenOf } from '@stablecoin/chains/tokens';
import { toUnits } from '@stablecoin/chains/units';
import { AmountsByCurrency } from './amounts-by-currency';

interface LimitSettings {
  readonly sweepAbove: AmountsByCurrency;
  readonly hotMin: AmountsByCurrency;
  readonly hotMax: AmountsByCurrency;
  readonly hotTarget: AmountsByCurrency;
}

/** @throws Error that names the settings that do not go together */
export function requireLimits({ hotMin, hotMax, hotTarget }: LimitSettings): void {
  for (const currency of TOKEN_CURRENCIES) {
    const [least, most, target] = [hotMin, hotMax, hotTarget].map((amounts) => comparable(amounts.get(currency)));
    if ((most === undefined) !== (target === undefined))
      throw new Error(`CHAIN_HOT_MAX and CHAIN_HOT_TARGET: expected both or neither for ${currency}.`);
    if (most !== undefined && target !== undefined && target >= most)
      throw new Error(`CHAIN_HOT_TARGET: expected less than CHAIN_HOT_MAX for ${currency}.`);
    const ceiling = target ?? most;
    if (least !== undefined && ceiling !== undefined && least >= ceiling)
      throw new Error(`CHAIN_HOT_MIN: expected less than CHAIN_HOT_TARGET for ${currency}.`);
  }
}

/** With the most decimals that a token has, so that no amount is refused here. */
const comparable = (amount: string | undefined): bigint | undefined =>
  amount === undefined ? undefined : toUnits({ decimals: 18 }, amount);

/** Undefined where none is set. */
export function limitUnits(
  amounts: AmountsByCurrency,
  network: EvmNetwork,
  currency: TokenCurrency,
): bigint | undefined {
  const [amount, token] = [amounts.get(currency), tokenOf(network, currency)];
  return amount === undefined || token === undefined ? undefined : toUnits(token, amount);
}
