import {
  AssetType,
  assetTypeOf,
  CURRENCIES,
  isCurrency,
  Network,
  NETWORKS,
  networksOf,
} from '@stablecoin/money/currency';
import { all, field, normalized } from './field';
import { IsOneOf } from './choice';

const codes = Object.keys(CURRENCIES);
/** Only ASCII letters: the upper case of some other letters is in ASCII, so that `u\u017Fd` would become USD. */
const ANY_CASE = /^[A-Za-z]{3,5}$/;

/** A currency where the interface gives an enum: exact, case included. */
export function IsCurrencyCode(): PropertyDecorator {
  return IsOneOf(codes, 'unsupported_currency');
}

/** A currency where the interface says string: accepted in any case, stored in upper case. */
export function IsCurrency(options: { only?: AssetType } = {}): PropertyDecorator {
  const allowed = codes.filter((code) => isCurrency(code) && (!options.only || assetTypeOf(code) === options.only));
  return all(
    normalized((value) => (typeof value === 'string' && ANY_CASE.test(value) ? value.toUpperCase() : value)),
    field({
      name: 'isCurrency',
      code: 'unsupported_currency',
      message: `must be one of ${allowed.join(', ')}`,
      schema: {
        type: 'string',
        pattern: `^(${allowed.map(inAnyCase).join('|')})$`,
        description: `One of ${allowed.join(', ')}, in any case.`,
      },
      check: (value) => typeof value === 'string' && allowed.includes(value),
    }),
  );
}

/** The pattern of a code in any case: JSON Schema knows no flags. */
const inAnyCase = (code: string): string => code.replace(/[A-Z]/g, (letter) => `[${letter}${letter.toLowerCase()}]`);

export function IsNetwork(): PropertyDecorator {
  return IsOneOf(NETWORKS, 'unsupported_network');
}

/**
 * A network on which the currency in the field `currency` beside it exists. Every request must name one, except that
 * with `neededIf` a request for which it is false must name none.
 */
export function IsNetworkOfCurrency(options: { neededIf?: (request: never) => boolean } = {}): PropertyDecorator {
  return all(
    normalized((value) => value ?? undefined),
    field({
      name: 'isNetworkOfCurrency',
      code: 'unsupported_network',
      message: ({ object }) => networkMessage((object as { currency?: unknown }).currency),
      schema: options.neededIf
        ? { type: ['string', 'null'], enum: [...NETWORKS, null] }
        : { type: 'string', enum: NETWORKS },
      check: (value, args) => {
        const { currency } = args.object as { currency?: unknown };
        const { neededIf } = options;
        // An unknown currency is refused by its own rule; the network is then checked by itself.
        if (typeof currency !== 'string' || !isCurrency(currency)) {
          return isNetwork(value) || (neededIf !== undefined && value === undefined);
        }
        if (neededIf?.(args.object as never) === false) return value === undefined;
        const isRefusedFiat = neededIf === undefined && assetTypeOf(currency) === 'FIAT';
        return isNetwork(value) && (isRefusedFiat || networksOf(currency).includes(value));
      },
    }),
  );
}

function networkMessage(currency: unknown): string {
  if (typeof currency !== 'string' || !isCurrency(currency)) return `must be one of ${NETWORKS.join(', ')}`;
  const networks = networksOf(currency);
  if (networks.length === 0) return `must be left out: ${currency} has no networks`;
  return `must be a network of ${currency}: ${networks.join(', ')}`;
}

const isNetwork = (value: unknown): value is Network => NETWORKS.includes(value as Network);
