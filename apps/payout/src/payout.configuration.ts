import { ServiceConfiguration } from '@stablecoin/service-host/service-configuration';
import { bytes, Setting, urlOf, wholeNumber } from '@stablecoin/service-host/setting';

export class PayoutConfiguration extends ServiceConfiguration {
  @Setting({
    env: 'PAYOUT_DATABASE_URL',
    describe: 'Where saved methods and payouts under way are kept; the role needs no more than the migrations grant.',
    example: 'postgresql://payout_app:secret@127.0.0.1:5432/payout',
    read: urlOf('postgresql:', 'postgres:'),
    secret: true,
  })
  databaseUrl: string;

  @Setting({
    env: 'DATABASE_POOL_SIZE',
    describe: 'Connections to the database at the most.',
    example: '10',
    read: wholeNumber(1, 200),
    default: 10,
  })
  databasePoolSize: number;

  @Setting({
    env: 'PERSONAL_DATA_KEY',
    describe: "The master key that wraps every owner's data key; the same for all services that need it.",
    example: '32 random bytes, from: openssl rand -base64 32',
    read: bytes(32, 'base64'),
    secret: true,
  })
  personalDataKey: Buffer;

  @Setting({
    env: 'SANDBOX_SETTLE_MS',
    describe: 'How long the sandbox rail takes to settle a payout, and again to return one, in milliseconds.',
    example: '500',
    read: wholeNumber(0, 86_400_000),
    default: 500,
  })
  sandboxSettleMs: number;

  @Setting({
    env: 'SANDBOX_CONFIRM_MS',
    describe: 'How long a sandbox deposit waits for its confirmations, in milliseconds; 0 credits it at once.',
    example: '0',
    read: wholeNumber(0, 86_400_000),
    default: 0,
  })
  sandboxConfirmMs: number;
}
