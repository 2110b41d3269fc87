import { ApiKeyScope } from '@stablecoin/contracts/customer/resolve-api-key';
import { KycStatus } from '@stablecoin/contracts/customer/views';
import { isEmail } from '@stablecoin/contracts/wire/fields/contact';
import { isUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { isCleanText, normalizedText } from '@stablecoin/contracts/wire/fields/text';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { AMOUNT_PATTERN } from '@stablecoin/money/amount';
import { FeeSchedule } from '@stablecoin/money/fee';
import { databaseFailure } from '@stablecoin/persistence/database-error';
import { ConfigurationError, loadConfiguration } from '@stablecoin/service-host/setting';
import { Command, InvalidArgumentError, Option } from 'commander';
import { Clock } from './clock';
import { CommandLineConfiguration } from './customer.configuration';
import { CustomerDesk, CustomerDeskError } from './customers/customer-desk';
import { API_KEY_SCOPES } from './merchants/api-key';
import { ListedApiKey, MerchantRegistry, MerchantRegistryError } from './merchants/merchant-registry';
import { CustomerDatabase } from './persistence/customer-database';
import { PersonalData } from './persistence/personal-data';

/**
 * The operator's command line: merchants, their keys, and what people decide about customers. It works on the database
 * alone, so the services may be up or down. A result is one JSON line on stdout; what went wrong is one line on stderr,
 * with exit code 1.
 */
interface CreateOptions {
  name: string;
  email?: string;
  live?: boolean;
  scopes: ApiKeyScope[];
  payoutFeeFlat?: string;
  payoutFeeBasisPoints?: number;
}

const MAX_GRACE_HOURS = 168;
const MAX_BASIS_POINTS = 10_000;

function program(): Command {
  const root = new Command('merchants').description(
    'Manages merchants, their API keys, and what is decided about customers.',
  );
  root
    .command('create')
    .description('Makes a merchant with its first API key, which is shown this once: {"merchant_id","api_key"}.')
    .requiredOption('--name <name>', 'how the merchant is called', merchantName)
    .option('--email <email>', 'where the merchant is reached', emailAddress)
    .option('--live', 'a live key; without it a test key, which can use the sandbox')
    .option('--scopes <scopes>', 'what the key may do, separated by commas', scopes, [...API_KEY_SCOPES])
    .option('--payout-fee-flat <amount>', 'fee of each payout, in its currency', amount)
    .option(
      '--payout-fee-basis-points <number>',
      'fee of each payout, in hundredths of a percent',
      wholeNumber(MAX_BASIS_POINTS),
    )
    .action((options: CreateOptions) => run((merchants) => merchants.register(newMerchant(options))));
  root
    .command('rotate-key')
    .description("Makes a new API key; the merchant's others stay valid for the hours of grace.")
    .requiredOption('--merchant <id>', 'the merchant', uuid)
    .option('--grace-hours <hours>', `0 to ${MAX_GRACE_HOURS}`, wholeNumber(MAX_GRACE_HOURS), 24)
    .action((options: { merchant: string; graceHours: number }) =>
      run((merchants) => merchants.rotateKey(options.merchant, options.graceHours)),
    );
  root
    .command('revoke-key')
    .description('Ends an API key at once; the gateway notices within 30 s.')
    .requiredOption('--merchant <id>', 'the merchant', uuid)
    .addOption(new Option('--key-id <id>', 'the key by its id, see list-keys').argParser(uuid).conflicts('key'))
    .addOption(new Option('--key <key>', 'the key itself').conflicts('keyId'))
    .action((options: { merchant: string; keyId?: string; key?: string }) =>
      run((merchants) => merchants.revokeKey(options.merchant, namedKey(options))),
    );
  root
    .command('list-keys')
    .description("Lists a merchant's API keys, newest first; the keys themselves are not stored.")
    .requiredOption('--merchant <id>', 'the merchant', uuid)
    .option('--json', 'one line of JSON')
    .action((options: { merchant: string; json?: boolean }) =>
      run((merchants) => merchants.listKeys(options.merchant), options.json ? JSON.stringify : keyTable),
    );
  root
    .command('set-kyc-status')
    .description("Records the outcome of a customer's review.")
    .requiredOption('--merchant <id>', 'the merchant', uuid)
    .requiredOption('--customer <id>', 'its customer', uuid)
    .addOption(new Option('--status <status>').choices(['under_review', 'approved', 'rejected']).makeOptionMandatory())
    .action((options: { merchant: string; customer: string; status: KycStatus }) =>
      run((_merchants, customers) => customers.setKycStatus(options.merchant, options.customer, options.status)),
    );
  root
    .command('erase-customer')
    .description("Makes a closed customer's personal data unreadable for good.")
    .requiredOption('--merchant <id>', 'the merchant', uuid)
    .requiredOption('--customer <id>', 'its customer', uuid)
    .action((options: { merchant: string; customer: string }) =>
      run((_merchants, customers) => customers.erase(options.merchant, options.customer)),
    );
  return root;
}

async function run<Result>(
  work: (merchants: MerchantRegistry, customers: CustomerDesk) => Promise<Result>,
  print: (result: Result) => string = JSON.stringify,
): Promise<void> {
  const configuration = loadConfiguration(CommandLineConfiguration, process.env);
  const database = new CustomerDatabase({ url: configuration.databaseUrl, poolSize: 1 });
  const personalData = new PersonalData(configuration.personalDataKey, configuration.blindIndexKey);
  try {
    const clock = new Clock();
    const merchants = new MerchantRegistry(database, personalData, clock, configuration.ledgerShards);
    const result = await work(merchants, new CustomerDesk(database, clock));
    process.stdout.write(`${print(result)}\n`);
  } finally {
    await database.$disconnect();
  }
}

function newMerchant({ name, email, live, scopes, payoutFeeFlat, payoutFeeBasisPoints }: CreateOptions) {
  const hasFee = payoutFeeFlat !== undefined || payoutFeeBasisPoints !== undefined;
  const payoutFee: FeeSchedule | null = hasFee
    ? { flat: payoutFeeFlat ?? '0', basis_points: payoutFeeBasisPoints ?? 0 }
    : null;
  return { name, email: email ?? null, mode: live ? ('live' as const) : ('test' as const), scopes, payoutFee };
}

function namedKey({ keyId, key }: { keyId?: string; key?: string }): { keyId: string } | { key: string } {
  if (keyId !== undefined) return { keyId };
  if (key !== undefined) return { key };
  throw new MerchantRegistryError('Name the key with --key-id or --key.');
}

function keyTable(keys: ListedApiKey[]): string {
  const rows = keys.map(({ key_id, mode, scopes: allowed, created_at, expires_at, revoked_at }) =>
    [
      key_id,
      mode.padEnd(4),
      allowed.join(',').padEnd(17),
      created_at,
      expires_at ?? '-'.padEnd(24),
      revoked_at ?? '-',
    ].join('  '),
  );
  const header = [
    'KEY ID'.padEnd(36),
    'MODE',
    'SCOPES'.padEnd(17),
    'CREATED'.padEnd(24),
    'EXPIRES'.padEnd(24),
    'REVOKED',
  ].join('  ');
  return [header, ...rows].join('\n');
}

function merchantName(value: string): string {
  const name = normalizedText(value);
  if (isCleanText(name, { min: 1, max: 200 })) return name;
  throw new InvalidArgumentError('It must be text of 1 to 200 characters.');
}

function emailAddress(value: string): string {
  if (isEmail(value)) return value;
  throw new InvalidArgumentError('It must be an e-mail address.');
}

function uuid(value: string): string {
  if (isUuid(value)) return value;
  throw new InvalidArgumentError('It must be a UUID.');
}

function amount(value: string): string {
  if (AMOUNT_PATTERN.test(value)) return value;
  throw new InvalidArgumentError('It must be a decimal such as 1.50.');
}

function scopes(value: string): ApiKeyScope[] {
  const named = [...new Set(value.split(',').map((scope) => scope.trim()))];
  const known = API_KEY_SCOPES.filter((scope) => named.includes(scope));
  if (known.length > 0 && known.length === named.length) return known;
  throw new InvalidArgumentError(`It must be one or more of ${API_KEY_SCOPES.join(',')}.`);
}

function wholeNumber(maximum: number): (value: string) => number {
  return (value) => {
    if (/^\d{1,9}$/.test(value) && Number(value) <= maximum) return Number(value);
    throw new InvalidArgumentError(`It must be a whole number from 0 to ${maximum}.`);
  };
}

/** Internals, connection strings among them, stay out of what is printed. */
function reasonOf(error: unknown): string {
  if (error instanceof MerchantRegistryError || error instanceof CustomerDeskError) return error.message;
  if (error instanceof Refusal && error.code === 'not_found') return 'The merchant has no such customer.';
  if (error instanceof ConfigurationError) return error.message.split('\n').join('; ');
  if (databaseFailure(error).kind === 'unknown')
    return 'The customer database does not answer: check CUSTOMER_DATABASE_URL.';
  const { name, message } = error as Error;
  return `Unexpected ${name}: ${message.trim().split('\n').at(-1)}`;
}

program()
  .parseAsync()
  .catch((error: unknown) => {
    process.stderr.write(`error: ${reasonOf(error)}\n`);
    process.exitCode = 1;
  });
