import { table } from '@stablecoin/command-line/table';
import { ApiKeyScope } from '@stablecoin/contracts/customer/resolve-api-key';
import { API_KEY_SCOPES } from '@stablecoin/customer-store/merchants/api-key';
import { ListedApiKey, NamedKey, NewMerchant } from '@stablecoin/customer-store/merchants/merchant-registry';
import { FeeSchedule } from '@stablecoin/money/fee';
import { Command, Option } from 'commander';
import { amount, emailAddress, scopes, textOfUpTo, uuid, wholeNumber } from '../arguments';
import { command, CommandContext } from '../command-context';
import { asOperator } from '../operator-database';

interface CreateOptions {
  name: string;
  email?: string;
  live?: boolean;
  scopes: ApiKeyScope[];
  payoutFeeFlat?: string;
  payoutFeeBasisPoints?: number;
}

interface KeyOptions {
  keyId?: string;
  key?: string;
}

interface RotateOptions extends KeyOptions {
  merchant: string;
  graceHours: number;
  scopes?: ApiKeyScope[];
}

const GRACE_HOURS_MAX = 168;
const BASIS_POINTS_MAX = 10_000;
const SCOPES = `what the key may do: some of ${API_KEY_SCOPES.join(',')}, separated by commas`;

/** Merchants and their API keys. */
export function addMerchantCommands(root: Command, { settings, print }: CommandContext): void {
  const merchants = root.command('merchants').description('Merchants and their API keys.');

  command(merchants, 'create', 'Makes a merchant with its first API key, shown this once: {"merchant_id","api_key"}.')
    .requiredOption('--name <name>', 'how the merchant is called', textOfUpTo(200))
    .option('--email <email>', 'where the merchant is reached', emailAddress)
    .option('--live', 'live keys, now and later; without it test keys, which can use the sandbox')
    .option('--scopes <scopes>', SCOPES, scopes, [...API_KEY_SCOPES])
    .option('--payout-fee-flat <amount>', 'fee of each payout, in its currency', amount)
    .option(
      '--payout-fee-basis-points <number>',
      'fee of each payout, in hundredths of a percent',
      wholeNumber(BASIS_POINTS_MAX),
    )
    .action(async (options: CreateOptions) =>
      print(await asOperator(settings, ({ registry }) => registry.register(newMerchant(options)))),
    );

  ofMerchant(merchants, 'add-key', "Makes another API key, shown this once; the merchant's others stay as they are.")
    .requiredOption('--scopes <scopes>', SCOPES, scopes)
    .action(async ({ merchant, scopes: allowed }: { merchant: string; scopes: ApiKeyScope[] }) =>
      print(await asOperator(settings, ({ registry }) => registry.addKey(merchant, allowed))),
    );

  naming(
    ofMerchant(
      merchants,
      'rotate-key',
      'Makes an API key in place of the one that is named, else of all; shown this once.',
    ),
  )
    .option(
      '--grace-hours <hours>',
      `how long what it replaces stays valid, 0 to ${GRACE_HOURS_MAX}`,
      wholeNumber(GRACE_HOURS_MAX),
      24,
    )
    .option('--scopes <scopes>', `${SCOPES}; without it those of the key it replaces`, scopes)
    .action(async ({ merchant, graceHours, scopes: allowed, ...key }: RotateOptions) => {
      const rotation = { graceHours, scopes: allowed, named: namedKey(key) };
      print(await asOperator(settings, ({ registry }) => registry.rotateKey(merchant, rotation)));
    });

  naming(ofMerchant(merchants, 'revoke-key', 'Ends an API key at once; the gateway notices within 30 s.')).action(
    async ({ merchant, ...key }: KeyOptions & { merchant: string }, self: Command) => {
      const named = namedKey(key) ?? self.error('error: name the key with --key-id or --key');
      print(await asOperator(settings, ({ registry }) => registry.revokeKey(merchant, named)));
    },
  );

  ofMerchant(
    merchants,
    'list-keys',
    "Lists a merchant's API keys, newest first; the keys themselves are not stored.",
  ).action(async ({ merchant, json }: { merchant: string; json?: boolean }) =>
    print(await asOperator(settings, ({ registry }) => registry.listKeys(merchant)), { json, table: keyTable }),
  );
}

function ofMerchant(merchants: Command, name: string, description: string): Command {
  return command(merchants, name, description).requiredOption('--merchant <id>', 'the merchant', uuid);
}

function naming(subcommand: Command): Command {
  return subcommand
    .addOption(new Option('--key-id <id>', 'the key by its id, see list-keys').argParser(uuid).conflicts('key'))
    .addOption(new Option('--key <key>', 'the key itself').conflicts('keyId'));
}

function namedKey({ keyId, key }: KeyOptions): NamedKey | undefined {
  if (keyId !== undefined) return { keyId };
  return key === undefined ? undefined : { key };
}

function newMerchant({ name, email, live, scopes: allowed, ...fee }: CreateOptions): NewMerchant {
  const { payoutFeeFlat, payoutFeeBasisPoints } = fee;
  const hasFee = payoutFeeFlat !== undefined || payoutFeeBasisPoints !== undefined;
  const payoutFee: FeeSchedule | null = hasFee
    ? { flat: payoutFeeFlat ?? '0', basis_points: payoutFeeBasisPoints ?? 0 }
    : null;
  return { name, email: email ?? null, mode: live ? 'live' : 'test', scopes: allowed, payoutFee };
}

function keyTable(keys: ListedApiKey[]): string {
  const rows = keys.map((key) => [
    key.key_id,
    key.mode,
    key.scopes.join(','),
    key.created_at,
    key.expires_at,
    key.revoked_at,
  ]);
  return table(['KEY ID', 'MODE', 'SCOPES', 'CREATED', 'EXPIRES', 'REVOKED'], rows);
}
