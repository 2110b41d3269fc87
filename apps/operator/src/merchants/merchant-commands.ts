import { table } from '@stablecoin/command-line/table';
import { ApiKeyScope } from '@stablecoin/contracts/customer/resolve-api-key';
import {
  DEFAULT_QUOTA,
  MerchantUsage,
  QUOTA_MAX,
  QUOTA_NAMES,
  QuotaName,
} from '@stablecoin/customer-store/merchants/merchant-quotas';
import { Progress } from '@stablecoin/customer-store/progress';
import { recordActBefore } from '@stablecoin/customer-store/operator-acts/operator-acts';
import { UrlSealing } from '@stablecoin/customer-store/webhooks/url-sealing';
import { API_KEY_SCOPES, DEFAULT_SCOPES } from '@stablecoin/customer-store/merchants/api-key';
import {
  ListedApiKey,
  ListedMerchant,
  NamedKey,
  NamedMerchant,
  NewMerchant,
} from '@stablecoin/customer-store/merchants/merchant-registry';
import { FeeSchedule } from '@stablecoin/money/fee';
import { Command, Option } from 'commander';
import { actedBy, acting, ActingOptions } from '../acting';
import { allowedAddress, amount, emailAddress, scopes, textOfUpTo, uuid, wholeNumber } from '../arguments';
import { LIMIT, ListOptions, onTheRecord, PERSONAL_DATA } from '../listing';
import { command, CommandContext } from '../command-context';
import { asOperator } from '../operator-database';

interface CreateOptions extends ActingOptions {
  allowFrom?: string[];
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

interface AddKeyOptions extends ActingOptions {
  merchant: string;
  scopes: ApiKeyScope[];
  allowFrom?: string[];
  samePersonAs?: string;
}

interface RotateOptions extends KeyOptions, ActingOptions {
  merchant: string;
  graceHours: number;
  scopes?: ApiKeyScope[];
}

type CamelCased = 'documents' | 'documentBytes' | 'webhookEndpoints' | 'apiKeys';
type QuotaOptions = ActingOptions & { merchant: string; json?: boolean } & { [Name in CamelCased]?: number };

const QUOTAS: Readonly<Record<QuotaName, string>> = {
  documents: 'documents, attached or not',
  document_bytes: 'their bytes',
  webhook_endpoints: 'webhooks',
  api_keys: 'valid API keys',
};
const QUOTA_HELP = `
A quota below what is used takes nothing away, and lets nothing in. A merchant is refused with 409: storage_quota_reached for
documents, webhook_limit_reached for webhooks.`;
const GRACE_HOURS_MAX = 168;
const BASIS_POINTS_MAX = 10_000;
const SCOPES = `what the key may do: some of ${API_KEY_SCOPES.join(',')}, separated by commas`;

const ALLOW_FROM = [
  '--allow-from <address>',
  'an address, or a network as address/bits, from which the key may be used; may be repeated; without it from everywhere',
  allowedAddress,
] as const;
const ROTATE_HELP = `
The new key has the scopes and the allowed addresses of the one that it replaces; the merchant's other keys stay as they are.
Of a merchant with several valid keys the one to replace is named: without --key-id the command lists them.`;
const REVOKE_HELP = `
The gateways refuse it within a quarter of a second. One that could not be told of it, because the bus or the customer service
was just away, notices within ten seconds.`;

/** Merchants and their API keys. */
export function addMerchantCommands(root: Command, context: CommandContext): void {
  const { settings, print } = context;
  const merchants = root.command('merchants').description('Merchants and their API keys.');

  const created = command(
    merchants,
    'create',
    'Makes a merchant with its first API key, shown this once: {"merchant_id","api_key"}.',
  )
    .requiredOption('--name <name>', 'how the merchant is called', textOfUpTo(200))
    .option('--email <email>', 'where the merchant is reached', emailAddress)
    .option('--live', 'live keys, now and later; without it test keys, which can use the sandbox')
    .option('--scopes <scopes>', SCOPES, scopes, [...DEFAULT_SCOPES])
    .option('--payout-fee-flat <amount>', 'fee of each payout, in its currency', amount)
    .option(
      '--payout-fee-basis-points <number>',
      'fee of each payout, in hundredths of a percent',
      wholeNumber(BASIS_POINTS_MAX),
    )
    .option(...ALLOW_FROM);
  acting(created, { demands: false }).action(async (options: CreateOptions) => {
    const by = actedBy(context, options);
    print(await asOperator(settings, ({ registry }) => registry.register(newMerchant(options), by)));
  });

  const added = ofMerchant(
    merchants,
    'add-key',
    "Makes another API key, shown this once; the merchant's others stay as they are.",
  )
    .requiredOption('--scopes <scopes>', SCOPES, scopes)
    .option(
      '--same-person-as <key-id>',
      'a key of the same person: neither approves payouts that the other has created',
      uuid,
    )
    .option(...ALLOW_FROM);
  acting(added, { demands: false }).action(
    async ({ merchant, scopes: allowed, allowFrom = [], samePersonAs, ...who }: AddKeyOptions) => {
      const [key, by] = [{ scopes: allowed, allowedAddresses: allowFrom, samePersonAs }, actedBy(context, who)];
      print(await asOperator(settings, ({ registry }) => registry.addKey(merchant, key, by)));
    },
  );

  const rotated = naming(
    ofMerchant(
      merchants,
      'rotate-key',
      "Makes an API key in place of the one that is named, else of the merchant's only one; shown this once.",
    ),
  )
    .option(
      '--grace-hours <hours>',
      `how long what it replaces stays valid, 0 to ${GRACE_HOURS_MAX}`,
      wholeNumber(GRACE_HOURS_MAX),
      24,
    )
    .option('--scopes <scopes>', `${SCOPES}; without it those of the key it replaces`, scopes)
    .addHelpText('after', ROTATE_HELP);
  acting(rotated, { demands: false }).action(
    async ({ merchant, graceHours, scopes: allowed, actor, reason, ...key }: RotateOptions) => {
      const rotation = { graceHours, scopes: allowed, named: namedKey(key) };
      const by = actedBy(context, { actor, reason });
      print(await asOperator(settings, ({ registry }) => registry.rotateKey(merchant, rotation, by)));
    },
  );

  const revoked = naming(ofMerchant(merchants, 'revoke-key', 'Ends an API key at once.')).addHelpText(
    'after',
    REVOKE_HELP,
  );
  acting(revoked, { demands: false }).action(
    async ({ merchant, actor, reason, ...key }: KeyOptions & ActingOptions & { merchant: string }, self: Command) => {
      const named = namedKey(key) ?? self.error('error: name the key with --key-id or --key');
      const by = actedBy(context, { actor, reason });
      print(await asOperator(settings, ({ registry }) => registry.revokeKey(merchant, named, by)));
    },
  );

  const listed = command(merchants, 'list', 'Lists merchants, oldest first.')
    .option(...LIMIT)
    .option(...PERSONAL_DATA);
  acting(listed, { demands: false }).action(
    async ({ limit, personalData, json, ...who }: ListOptions, self: Command) => {
      if (!personalData) {
        print(await asOperator(settings, ({ registry }) => registry.list(limit)), { json, table: merchantTable });
        return;
      }
      const by = onTheRecord(context, who, self);
      print(await asOperator(settings, ({ registry }) => registry.listNamed(limit, by)), {
        json,
        table: merchantTable,
      });
    },
  );

  ofMerchant(
    merchants,
    'list-keys',
    "Lists a merchant's API keys, newest first; the keys themselves are not stored.",
  ).action(async ({ merchant, json }: { merchant: string; json?: boolean }) =>
    print(await asOperator(settings, ({ registry }) => registry.listKeys(merchant)), { json, table: keyTable }),
  );
  addQuotaCommands(merchants, context);
  addUrlSealingCommand(merchants, context);
}

/** How much a merchant may have stored, and has. */
function addQuotaCommands(merchants: Command, context: CommandContext): void {
  const { settings, print } = context;
  ofMerchant(merchants, 'show', 'Shows what a merchant has stored, and its quotas.').action(
    async ({ merchant, json }: { merchant: string; json?: boolean }) =>
      print(await asOperator(settings, ({ quotas }) => quotas.usage(merchant)), { json, table: usageTable }),
  );

  const set = ofMerchant(
    merchants,
    'set-quota',
    'Sets how much a merchant may have stored; what is not named stays as it is.',
  );
  for (const name of QUOTA_NAMES) {
    const number = wholeNumber(QUOTA_MAX[name]);
    set.option(`--${name.replaceAll('_', '-')} <number>`, `${QUOTAS[name]}; usually ${DEFAULT_QUOTA[name]}`, number);
  }
  acting(set.addHelpText('after', QUOTA_HELP), { demands: false }).action(
    async (options: QuotaOptions, self: Command) => {
      const changes = Object.fromEntries(
        QUOTA_NAMES.flatMap((name) => {
          const value = options[camelCase(name)];
          return value === undefined ? [] : [[name, value]];
        }),
      );
      if (Object.keys(changes).length === 0) self.error('error: name at least one quota');
      const by = actedBy(context, options);
      const usage = await asOperator(settings, ({ quotas }) => quotas.set(options.merchant, changes, by));
      print(usage, { json: options.json, table: usageTable });
    },
  );
}

const SEAL_HELP = `
Once no customer service of the version before runs, and none will again: it reads no sealed URL. Until then URLs are written in clear.
The services go on meanwhile. An interrupted run is repeated; what is done is done.`;

function addUrlSealingCommand(merchants: Command, context: CommandContext): void {
  const { settings, print, tell } = context;
  const seal = command(
    merchants,
    'seal-webhook-urls',
    'Seals the URLs of webhooks with their merchants’ data keys, those of the version before and from now on.',
  );
  acting(seal.addHelpText('after', SEAL_HELP), { demands: false }).action(
    async ({ json, ...who }: ActingOptions & { json?: boolean }) => {
      const by = actedBy(context, who);
      const sealed = await asOperator(settings, async ({ database, personalData }) => {
        await recordActBefore(database, { action: 'merchants seal-webhook-urls' }, by);
        return new UrlSealing(database, personalData).run(new Progress('rows', tell));
      });
      print(sealed, { json, table: ({ urls, answers }) => `${urls} URLs and ${answers} stored answers were sealed.` });
    },
  );
}

const camelCase = (name: QuotaName): CamelCased =>
  name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as CamelCased;

const usageTable = ({ quota, used }: MerchantUsage): string =>
  table(
    ['QUOTA', 'USED', 'OF'],
    QUOTA_NAMES.map((name) => [name, String(used[name]), String(quota[name])]),
  );

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

function newMerchant({
  name,
  email,
  live,
  scopes: allowed,
  allowFrom: allowedAddresses,
  ...fee
}: CreateOptions): NewMerchant {
  const { payoutFeeFlat, payoutFeeBasisPoints } = fee;
  const hasFee = payoutFeeFlat !== undefined || payoutFeeBasisPoints !== undefined;
  const payoutFee: FeeSchedule | null = hasFee
    ? { flat: payoutFeeFlat ?? '0', basis_points: payoutFeeBasisPoints ?? 0 }
    : null;
  return { name, email: email ?? null, mode: live ? 'live' : 'test', scopes: allowed, allowedAddresses, payoutFee };
}

function keyTable(keys: ListedApiKey[]): string {
  const rows = keys.map((key) => [
    key.key_id,
    key.mode,
    key.scopes.join(','),
    key.signer_id === key.key_id ? null : key.signer_id,
    key.allowed_addresses.length === 0 ? null : key.allowed_addresses.join(','),
    key.created_at,
    key.last_used_at,
    key.expires_at,
    key.revoked_at,
  ]);
  return table(
    ['KEY ID', 'MODE', 'SCOPES', 'SIGNER', 'ALLOWED FROM', 'CREATED', 'LAST USED', 'EXPIRES', 'REVOKED'],
    rows,
  );
}

function merchantTable(merchants: (ListedMerchant | NamedMerchant)[]): string {
  const rows = merchants.map((merchant) => [
    ...[merchant.merchant_id, merchant.mode, merchant.created_at, String(merchant.valid_keys), merchant.last_used_at],
    ...('name' in merchant ? [merchant.name, merchant.email] : []),
  ]);
  const personal = merchants.some((merchant) => 'name' in merchant) ? ['NAME', 'E-MAIL'] : [];
  return table(['MERCHANT ID', 'MODE', 'CREATED', 'VALID KEYS', 'LAST USED', ...personal], rows);
}
