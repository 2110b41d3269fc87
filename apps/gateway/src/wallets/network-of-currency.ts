import { field, normalized, all } from '@stablecoin/contracts/wire/fields/field';
import { CURRENCIES, Currency, isCurrency, Network, NETWORKS } from '@stablecoin/money/currency';

/**
 * A network on which the currency in the field `currency` beside it exists. With `unlessFiat`, a fiat currency needs
 * none and takes none; otherwise there must be one.
 */
export function IsNetworkOfCurrency(options: { unlessFiat?: boolean } = {}): PropertyDecorator {
  return all(
    normalized((value) => value ?? undefined),
    field({
      name: 'isNetworkOfCurrency',
      code: 'unsupported_network',
      message: 'must be a network of the currency; fiat currencies have none',
      schema: options.unlessFiat
        ? { type: ['string', 'null'], enum: [...NETWORKS, null] }
        : { type: 'string', enum: NETWORKS },
      check: (value, args) => {
        const { currency } = args.object as { currency?: unknown };
        const { unlessFiat = false } = options;
        // A currency that can't be had here is refused by its own rule; the network is then judged by itself.
        if (typeof currency !== 'string' || !isCurrency(currency) || (isFiat(currency) && !unlessFiat)) {
          return isNetwork(value) || (unlessFiat && value === undefined);
        }
        if (value === undefined) return isFiat(currency);
        return isNetwork(value) && networksOf(currency).includes(value);
      },
    }),
  );
}

const isNetwork = (value: unknown): value is Network => NETWORKS.includes(value as Network);
const isFiat = (currency: Currency) => CURRENCIES[currency].assetType === 'FIAT';
const networksOf = (currency: Currency): readonly Network[] => CURRENCIES[currency].networks;
