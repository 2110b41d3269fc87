import { MAX_SHARDS } from '@stablecoin/ledger-domain/transaction-code';
import { ServiceConfiguration } from '@stablecoin/service-host/service-configuration';
import { bytes, Setting, urlOf, wholeNumber } from '@stablecoin/service-host/setting';

export class WalletLedgerConfiguration extends ServiceConfiguration {
  @Setting({
    env: 'LEDGER_DATABASE_URL',
    describe: 'The ledger database, as a role that can only add to the log.',
    example: 'postgresql://ledger_app:secret@127.0.0.1:5432/ledger',
    read: urlOf('postgresql:', 'postgres:'),
    secret: true,
  })
  databaseUrl: string;

  @Setting({
    env: 'DATABASE_POOL_SIZE',
    describe: 'Connections to the database at the most.',
    example: '20',
    read: wholeNumber(4, 200),
    default: 20,
  })
  poolSize: number;

  @Setting({
    env: 'LEDGER_SHARDS',
    describe: 'How many shards the log has. It can grow: merchants stay on the shard that they were given.',
    example: '4',
    read: wholeNumber(1, MAX_SHARDS),
    default: 4,
  })
  shards: number;

  @Setting({
    env: 'DEPOSIT_SEED',
    describe: 'The seed from which all deposit addresses are derived (BIP-32). Whoever has it has the deposits.',
    example: '64 random bytes, from: openssl rand -hex 64 | tr -d "\\n"',
    read: bytes(64, 'hex'),
    secret: true,
  })
  depositSeed: Buffer;
}
