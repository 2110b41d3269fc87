import { AssetType, assetTypeOf, CURRENCIES, isCurrency, NETWORKS } from '@stablecoin/money/currency';
import { all, field, normalized } from './field';
import { IsOneOf } from './choice';

const codes = Object.keys(CURRENCIES);

/** A currency where the reference gives an enum: exact, case included. */
export function IsCurrencyCode(): PropertyDecorator {
  return IsOneOf(codes, 'unsupported_currency');
}

/** A currency where the reference says string: any case comes in, upper case is kept. */
export function IsCurrency(options: { only?: AssetType } = {}): PropertyDecorator {
  const allowed = codes.filter((code) => isCurrency(code) && (!options.only || assetTypeOf(code) === options.only));
  return all(
    normalized((value) => (typeof value === 'string' && value.length <= 5 ? value.toUpperCase() : value)),
    field({
      name: 'isCurrency',
      code: 'unsupported_currency',
      message: `must be one of ${allowed.join(', ')}`,
      schema: { type: 'string', description: `One of ${allowed.join(', ')}, in any case` },
      check: (value) => typeof value === 'string' && allowed.includes(value),
    }),
  );
}

export function IsNetwork(): PropertyDecorator {
  return IsOneOf(NETWORKS, 'unsupported_network');
}
