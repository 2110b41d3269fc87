import { existsSync } from 'node:fs';
import { CallerKeys, NO_CALLER_KEYS, readCallerKeys } from '@stablecoin/command-proofs/caller-keys';
import { CHAINS, type EvmNetwork } from '@stablecoin/chains/chains';
import { CurrencyPrices, DEFAULT_USD_PRICES, readUsdPrices } from '@stablecoin/money/usd-prices';
import { addressRange } from '@stablecoin/contracts/wire/fields/address-range';
import { bytes, hostName, listOf, oneOf, SettingDefinition, urlOf, wholeNumber } from './setting';

/** Settings that several services have under the same name and for the same reason. */

const TRUSTED_PROXIES_MAX = 100;

export type LogLevel = 'error' | 'warn' | 'log' | 'debug' | 'verbose';
export const LOG_LEVEL: SettingDefinition<LogLevel> = {
  env: 'LOG_LEVEL',
  describe: 'The least important kind of line that is written.',
  example: 'log',
  read: oneOf('error', 'warn', 'log', 'debug', 'verbose'),
  default: 'log',
};

export type LogFormat = 'auto' | 'json' | 'text';

export const LOG_FORMAT: SettingDefinition<LogFormat> = {
  env: 'LOG_FORMAT',
  describe: 'One JSON object per line for machines, or text for people; auto is text on a terminal, else JSON.',
  example: 'json',
  read: oneOf('auto', 'json', 'text'),
  default: 'auto',
};

export const OPERATIONS_PORT: SettingDefinition<number | null> = {
  env: 'OPERATIONS_PORT',
  describe:
    'Where the process tells that it is live and ready; 0 takes a free port, none is opened when it is not set.',
  example: '9400',
  read: wholeNumber(0, 65_535),
  default: null,
};

export const OPERATIONS_HOST: SettingDefinition<string> = {
  env: 'OPERATIONS_HOST',
  describe: 'The address of that port; only those who operate the service should reach it.',
  example: '127.0.0.1',
  read: hostName,
  default: '127.0.0.1',
};

/** Of the services that speak HTTP. */
export const HOST: SettingDefinition<string> = {
  env: 'HOST',
  describe: 'The address to listen on; 0.0.0.0 for all of the machine.',
  example: '127.0.0.1',
  read: hostName,
  default: '127.0.0.1',
};

export const TRUSTED_PROXIES: SettingDefinition<string[]> = {
  env: 'TRUSTED_PROXIES',
  describe:
    'Addresses and networks of the load balancers in front, separated by commas: what they add to X-Forwarded-For is ' +
    'believed. Without them the address of a caller is the one that connects.',
  example: '10.0.0.0/8,2001:db8::/32',
  read: listOf(addressRange, TRUSTED_PROXIES_MAX),
  default: [],
};

export const DRAIN_LEAD_MS: SettingDefinition<number> = {
  env: 'DRAIN_LEAD_MS',
  describe: 'How long it goes on accepting after it was asked to end, saying that it is not ready, in milliseconds.',
  example: '5000',
  read: wholeNumber(0, 60_000),
  default: 0,
};

export const SANDBOX_RAIL_FOR_LIVE: SettingDefinition<boolean> = {
  env: 'SANDBOX_RAIL_FOR_LIVE',
  describe:
    'Lets payouts of live merchants go by the sandbox’s rail, which moves no money, where there is no other: for ' +
    'demonstrations. Without it the gateway refuses them before anything is held, payout fails the others, and the ledger ' +
    'completes none. The same for all three.',
  example: 'false',
  read: (value) => oneOf('true', 'false')(value) === 'true',
  default: false,
};

export const SWAP_RATES: SettingDefinition<CurrencyPrices> = {
  env: 'SWAP_RATES',
  describe:
    'What one unit of each currency is worth in US dollars: the prices of swaps for as long as there is no RATE_SOURCE_URL, and ' +
    'always what the ledger holds them against (SWAP_BOOK_BAND, SWAP_LOSS_PER_HOUR). The same for swap-pricing and wallet-ledger.',
  example: JSON.stringify(DEFAULT_USD_PRICES),
  read: readUsdPrices,
  default: DEFAULT_USD_PRICES,
};

export const STATIC_RATES_FOR_LIVE: SettingDefinition<boolean> = {
  env: 'STATIC_RATES_FOR_LIVE',
  describe:
    'Gives live merchants prices of SWAP_RATES too, which do not follow the market: for demonstrations. Without it they ' +
    'get none until there is a RATE_SOURCE_URL, and the ledger takes none. The same for swap-pricing and wallet-ledger.',
  example: 'false',
  read: (value) => oneOf('true', 'false')(value) === 'true',
  default: false,
};

/** `sandbox` moves no money and answers as if it did; `evm` is the service `chain`. */
export type PayoutRailName = 'sandbox' | 'evm';

const payoutRail = (network: EvmNetwork): SettingDefinition<PayoutRailName> => ({
  env: `PAYOUT_RAIL_${network.toUpperCase()}`,
  describe:
    `What payouts on ${CHAINS[network].name} go by: evm is the real chain, over the services chain and signer; sandbox moves ` +
    'no money. The same for gateway and payout, and evm only once every instance of payout knows this setting.',
  example: 'evm',
  read: oneOf('sandbox', 'evm'),
  default: 'sandbox',
});
export const PAYOUT_RAIL_ERC20 = payoutRail('erc20');
export const PAYOUT_RAIL_BEP20 = payoutRail('bep20');
export const PAYOUT_RAIL_POLYGON = payoutRail('polygon');

export const EVM_RAIL_FOR_TEST: SettingDefinition<boolean> = {
  env: 'EVM_RAIL_FOR_TEST',
  describe:
    'Lets payouts of test merchants go over chains as well. Only where the coins are worth nothing: on local chains and test ' +
    'networks. A test merchant deposits for free in the sandbox, and would be paid real money for it.',
  example: 'false',
  read: (value) => oneOf('true', 'false')(value) === 'true',
  default: false,
};

export const PERSONAL_DATA_KEY: SettingDefinition<Buffer> = {
  env: 'PERSONAL_DATA_KEY',
  describe:
    'Wraps the data key of every merchant and customer; the same for all services that have it. Lost with it: all personal data.',
  example: '32 random bytes, from: openssl rand -base64 32',
  read: bytes(32, 'base64'),
  secret: true,
};

export const PERSONAL_DATA_PREVIOUS_KEY: SettingDefinition<Buffer | null> = {
  env: 'PERSONAL_DATA_PREVIOUS_KEY',
  describe:
    'Opens data keys as PERSONAL_DATA_KEY does, and wraps none: the key before it, until rewrap-keys says that none is left under it.',
  example: '32 random bytes, from: openssl rand -base64 32',
  read: bytes(32, 'base64'),
  default: null,
  secret: true,
};

export const COMMAND_KEY: SettingDefinition<Buffer> = {
  env: 'COMMAND_KEY',
  describe:
    'Proves to the ledger that this service asks, and signs what it states of the world outside; every service has another one. ' +
    'The ledger knows what is derived from it: COMMAND_CALLER_KEYS and COMMAND_EVIDENCE_KEYS.',
  example: '32 random bytes, from: openssl rand -base64 32',
  read: bytes(32, 'base64'),
  secret: true,
};

export const COMMAND_EVIDENCE_KEYS: SettingDefinition<CallerKeys> = {
  env: 'COMMAND_EVIDENCE_KEYS',
  describe:
    'The public keys (Ed25519) with which swap-pricing, payout, chain, backoffice and the operators sign quotes, deposits, ' +
    'settlements, approvals by people and policies. A service may be named twice, while its key is changed.',
  example: 'swap-pricing:<32 bytes in base64>,payout:<…>,chain:<…>',
  read: readCallerKeys,
  default: NO_CALLER_KEYS,
  // Public, and as long as what is mounted from a file.
  secret: true,
};

/** As many as a transaction's code has room for. */
const SHARDS_MAX = 1_024;

export const LEDGER_SHARDS: SettingDefinition<number> = {
  env: 'LEDGER_SHARDS',
  describe: 'Over how many shards the log is spread. It can grow: merchants stay on the shard that they were given.',
  example: '4',
  read: wholeNumber(1, SHARDS_MAX),
  default: 4,
};

export function databaseUrl(database: string, describe: string, role = `${database}_app`): SettingDefinition<string> {
  return {
    env: `${database.toUpperCase()}_DATABASE_URL`,
    describe,
    example: `postgresql://${role}:secret@127.0.0.1:5432/${database}`,
    read: postgresUrl,
    secret: true,
  };
}

/** A database beside the one that a service always has. */
export interface NamedDatabase {
  name: string;
  url: string;
}

/** What a service calls the database that it always has, where there are others. */
export const HOME_DATABASE = 'home';
const NAMED_DATABASES_MAX = 64;

/** Further databases of the ledger, each with a name that it keeps. */
export function furtherLedgerDatabases(
  env: string,
  describe: string,
  role: string,
): SettingDefinition<NamedDatabase[]> {
  return {
    env,
    describe,
    example: `b=postgresql://${role}:secret@10.0.0.2:5432/ledger,c=postgresql://${role}:secret@10.0.0.3:5432/ledger`,
    read: namedDatabases,
    default: [],
    secret: true,
  };
}

function namedDatabases(text: string): NamedDatabase[] {
  const databases = listOf((each) => {
    const [, name, url] = /^([a-z][a-z0-9-]{0,29})=(.+)$/.exec(each) ?? [];
    if (name === undefined || url === undefined || name === HOME_DATABASE)
      throw new Error(
        `NAME=URL, several separated by commas; a name is of lower-case letters, digits and hyphens, and not ${HOME_DATABASE}`,
      );
    return { name, url: postgresUrl(url) };
  }, NAMED_DATABASES_MAX)(text);
  for (const part of [({ name }: NamedDatabase) => name, ({ url }: NamedDatabase) => placeOf(url)])
    if (new Set(databases.map(part)).size < databases.length) throw new Error('each name and each database once');
  return databases;
}

/** Where a database is, whichever login connects to it. */
export function placeOf(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname}:${port || '5432'}${pathname}`;
}

/** The file of `sslrootcert` is read with each new connection: one that is not there would show only then. */
function postgresUrl(text: string): string {
  const url = urlOf('postgresql:', 'postgres:')(text);
  const rootCertificate = new URL(url).searchParams.get('sslrootcert');
  if (rootCertificate !== null && !existsSync(rootCertificate))
    throw new Error('sslrootcert to name a file that is there');
  return url;
}

export function databasePoolSize(usual: number, minimum = 1): SettingDefinition<number> {
  return {
    env: 'DATABASE_POOL_SIZE',
    describe: 'Connections to the database at the most.',
    example: String(usual),
    read: wholeNumber(minimum, 200),
    default: usual,
  };
}

/** `{hash}` stands for the transaction. `none`, because a variable that is empty counts as not set. */
function explorerUrl(text: string): string | null {
  if (text === 'none') return null;
  const url = urlOf('https:', 'http:')(text);
  if (url.split('{hash}').length === 2) return url;
  throw new Error('a URL in which {hash} stands for the transaction, or none');
}

const explorer = (network: EvmNetwork, usual: string): SettingDefinition<string | null> => ({
  env: `EXPLORER_URL_${network.toUpperCase()}`,
  describe: `Where a transaction of ${CHAINS[network].name} is looked at, as merchants' transactions link to it; none for no link.`,
  example: usual,
  read: explorerUrl,
  default: usual,
});

export const EXPLORER_URL_ERC20 = explorer('erc20', 'https://etherscan.io/tx/{hash}');
export const EXPLORER_URL_BEP20 = explorer('bep20', 'https://bscscan.com/tx/{hash}');
export const EXPLORER_URL_POLYGON = explorer('polygon', 'https://polygonscan.com/tx/{hash}');
