import {
  COMMAND_KEY,
  databasePoolSize,
  databaseUrl,
  STATIC_RATES_FOR_LIVE,
  SWAP_RATES,
} from '@stablecoin/service-host/repeated-settings';
import { ServiceConfiguration } from '@stablecoin/service-host/service-configuration';
import { Setting, urlOf, wholeNumber } from '@stablecoin/service-host/setting';
import { CurrencyPrices } from '@stablecoin/money/usd-prices';

export class SwapPricingConfiguration extends ServiceConfiguration {
  @Setting(COMMAND_KEY) commandKey: Buffer;
  @Setting(databaseUrl('swap', 'Where quotes are kept.')) databaseUrl: string;
  @Setting(databasePoolSize(10)) databasePoolSize: number;

  @Setting({
    env: 'QUOTE_TTL_MS',
    describe: 'How long a quote can be executed, in milliseconds.',
    example: '60000',
    read: wholeNumber(100, 86_400_000),
    default: 60_000,
  })
  quoteTtlMs: number;

  @Setting({
    env: 'SWAP_SPREAD_BASIS_POINTS',
    describe: 'What quotes keep back of the price, in hundredths of a percent.',
    example: '25',
    read: wholeNumber(0, 9_999),
    default: 25,
  })
  spreadBasisPoints: number;

  @Setting(SWAP_RATES)
  usdPrices: CurrencyPrices;

  @Setting(STATIC_RATES_FOR_LIVE) staticRatesForLive: boolean;

  @Setting({
    env: 'RATE_SOURCE_URL',
    describe: 'An exchange-rate API to take rates from, instead of SWAP_RATES.',
    example: 'https://rates.example.com/latest.json?base=USD',
    read: urlOf('https:', 'http:'),
    default: '',
    secret: true,
  })
  rateSourceUrl: string;

  @Setting({
    env: 'RATE_MAX_AGE_S',
    describe: 'The oldest rate that is still used, in seconds; older ones end in "unavailable".',
    example: '300',
    read: wholeNumber(1, 604_800),
    default: 300,
  })
  rateMaxAgeS: number;

  @Setting({
    env: 'QUOTE_RETENTION_DAYS',
    describe: 'How long an unused quote is kept after it expired; until then it can be refreshed.',
    example: '30',
    read: wholeNumber(1, 3_650),
    default: 30,
  })
  quoteRetentionDays: number;

  @Setting({
    env: 'QUOTES_UNUSED_MAX',
    describe: 'How many unused quotes of one merchant are kept after they expired: the newest ones.',
    example: '100000',
    read: wholeNumber(1, 100_000_000),
    default: 100_000,
  })
  quotesUnusedMax: number;
}
