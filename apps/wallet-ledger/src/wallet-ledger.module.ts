import { Inject, Module, OnApplicationShutdown } from '@nestjs/common';
import { OperationHandlersModule } from '@stablecoin/messaging/operation-handlers.module';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { DepositAddressBook } from './deposit-addresses/deposit-address-book';
import { LedgerShards } from './event-log/ledger-shards';
import { ExplainTransactionHandler } from './queries/explain-transaction/explain-transaction.handler';
import { GetPastBalanceHandler } from './queries/get-past-balance/get-past-balance.handler';
import { GetTransactionHandler } from './queries/get-transaction/get-transaction.handler';
import { GetWalletHandler } from './queries/get-wallet/get-wallet.handler';
import { ListAssetCodesHandler } from './queries/list-asset-codes/list-asset-codes.handler';
import { ListCheckpointsHandler } from './queries/list-checkpoints/list-checkpoints.handler';
import { ListTransactionsByReferenceHandler } from './queries/list-transactions-by-reference/list-transactions-by-reference.handler';
import { ListTransactionsHandler } from './queries/list-transactions/list-transactions.handler';
import { ListWalletsHandler } from './queries/list-wallets/list-wallets.handler';
import { ProveConsistencyHandler } from './queries/prove-consistency/prove-consistency.handler';
import { ProveTransactionHandler } from './queries/prove-transaction/prove-transaction.handler';
import { CloseCustomerAccountHandler } from './use-cases/close-customer-account/close-customer-account.handler';
import { ConfirmDepositHandler } from './use-cases/confirm-deposit/confirm-deposit.handler';
import { HoldPayoutHandler } from './use-cases/hold-payout/hold-payout.handler';
import { MakeCheckpointHandler } from './use-cases/make-checkpoint/make-checkpoint.handler';
import { OpenWalletHandler } from './use-cases/open-wallet/open-wallet.handler';
import { PostSwapHandler } from './use-cases/post-swap/post-swap.handler';
import { RecordDepositHandler } from './use-cases/record-deposit/record-deposit.handler';
import { ResolvePayoutHandler } from './use-cases/resolve-payout/resolve-payout.handler';
import { WalletLedgerConfiguration } from './wallet-ledger.configuration';

/** An instance that hangs within an append locks its shard's head for so long: shorter than the lease that it loses. */
const IDLE_TRANSACTION_TIMEOUT_MS = 2_000;

@Module({
  imports: [OperationHandlersModule],
  providers: [
    {
      provide: LedgerDatabase,
      inject: [WalletLedgerConfiguration],
      useFactory: ({ databaseUrl, poolSize }: WalletLedgerConfiguration) =>
        new LedgerDatabase({
          url: databaseUrl,
          applicationName: 'wallet-ledger',
          poolSize,
          idleTransactionTimeoutMs: IDLE_TRANSACTION_TIMEOUT_MS,
        }),
    },
    DepositAddressBook,
    LedgerShards,
    OpenWalletHandler,
    RecordDepositHandler,
    ConfirmDepositHandler,
    HoldPayoutHandler,
    ResolvePayoutHandler,
    PostSwapHandler,
    CloseCustomerAccountHandler,
    MakeCheckpointHandler,
    GetWalletHandler,
    ListWalletsHandler,
    GetTransactionHandler,
    ListTransactionsHandler,
    ListTransactionsByReferenceHandler,
    ListAssetCodesHandler,
    GetPastBalanceHandler,
    ExplainTransactionHandler,
    ListCheckpointsHandler,
    ProveTransactionHandler,
    ProveConsistencyHandler,
  ],
})
export class WalletLedgerModule implements OnApplicationShutdown {
  constructor(@Inject(LedgerDatabase) private readonly database: LedgerDatabase) {}

  async onApplicationShutdown(): Promise<void> {
    await this.database.$disconnect();
  }
}
