import { BLIND_INDEX_KEY, CUSTOMER_DATABASE_URL, ERASURES_FILE } from '@stablecoin/customer-store/settings';
import { KeyWrappingSettings } from '@stablecoin/key-wrapping/key-wrapping-settings';
import { databasePoolSize, LEDGER_SHARDS, COMMAND_KEY } from '@stablecoin/service-host/repeated-settings';
import { ServiceConfiguration } from '@stablecoin/service-host/service-configuration';
import { listOf, oneOf, Setting, SettingGroup, urlOf, wholeNumber } from '@stablecoin/service-host/setting';

export class CustomerConfiguration extends ServiceConfiguration {
  @Setting(COMMAND_KEY) commandKey: Buffer;
  @Setting(CUSTOMER_DATABASE_URL) databaseUrl: string;
  @SettingGroup(KeyWrappingSettings) dataKeys: KeyWrappingSettings;
  @Setting(BLIND_INDEX_KEY) blindIndexKey: Buffer;
  @Setting(LEDGER_SHARDS) ledgerShards: number;
  @Setting(ERASURES_FILE) erasuresFile: string | null;
  @Setting(databasePoolSize(10)) databasePoolSize: number;

  @Setting({
    env: 'CUSTOMER_COMPLIANCE_DATABASE_URL',
    describe:
      'The same database, as a login with the role customer_compliance: people at the console are shown documents by it, each ' +
      'read on the record. Without it they see only what documents there are.',
    example: 'postgresql://console_documents:secret@127.0.0.1:5432/customer',
    read: urlOf('postgresql:', 'postgres:'),
    default: null,
    secret: true,
  })
  complianceDatabaseUrl: string | null;

  @Setting({
    env: 'SANDBOX_API_KEY',
    describe: 'A test key for which a sandbox merchant is made at the start; none when empty.',
    example: 'sk_test_local_development_key',
    read: sandboxKey,
    default: '',
    secret: true,
  })
  sandboxApiKey: string;

  @Setting({
    env: 'KYC_AUTO_APPROVE',
    describe: 'Approves at once whom a test key registers; false leaves them to a review, as those of live keys are.',
    example: 'true',
    read: (value) => oneOf('true', 'false')(value) === 'true',
    default: true,
  })
  sandboxKycAutoApprove: boolean;

  @Setting({
    env: 'SCREENING_REQUIRED_FOR_LIVE',
    describe:
      'Has payouts and deposits of live merchants wait until there is a list to screen them by. false lets them go where there ' +
      'is none: for demonstrations, and for operators who screen elsewhere. What lists there are counts in any case.',
    example: 'true',
    read: (value) => oneOf('true', 'false')(value) === 'true',
    default: true,
  })
  screeningRequiredForLive: boolean;

  @Setting({
    env: 'WEBHOOK_RETRY_SECONDS',
    describe: 'How long to wait after each failed attempt of a webhook delivery; after the last one it is given up.',
    example: '5,300,1800,7200,18000,36000,50400,72000,86400',
    read: listOf(retryWait, 20),
    default: [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
  })
  webhookRetrySeconds: number[];

  @Setting({
    env: 'WEBHOOK_TIMEOUT_MS',
    describe: 'How long a receiver of webhooks has to answer.',
    example: '15000',
    read: wholeNumber(100, 60_000),
    default: 15_000,
  })
  webhookTimeoutMs: number;

  @Setting({
    env: 'WEBHOOK_ALLOW_LOOPBACK',
    describe: 'Lets webhooks that were made with test keys be on the machine of this service; for sandboxes only.',
    example: 'true',
    read: (value) => oneOf('true', 'false')(value) === 'true',
    default: true,
  })
  webhookAllowLoopback: boolean;

  @Setting({
    env: 'EVENT_RETENTION_DAYS',
    describe: 'How long events are kept, with what is known of their deliveries; longer than the retries last.',
    example: '30',
    read: wholeNumber(7, 3_650),
    default: 30,
  })
  eventRetentionDays: number;
}

/** Up to a day; fractions are for tests. */
function retryWait(value: string): number {
  if (/^\d{1,5}(\.\d{1,3})?$/.test(value) && Number(value) <= 86_400) return Number(value);
  throw new Error('seconds from 0 to 86400, separated by commas');
}

/** Any printable key except a live one: a key in a configuration file must not move real money. */
function sandboxKey(value: string): string {
  if (/^[\x21-\x7e]{16,255}$/.test(value) && !value.startsWith('sk_live_')) return value;
  throw new Error('16 to 255 printable characters that do not begin with sk_live_');
}
