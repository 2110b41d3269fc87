import { Module, OnApplicationShutdown } from '@nestjs/common';
import { OperationHandlersModule } from '@stablecoin/messaging/operation-handlers.module';
import { MerchantReads } from '@stablecoin/persistence/merchant-reads';
import { LedgerDatabase, LedgerReads } from '@stablecoin/ledger-store/ledger-database';
import { DepositAddressBook } from './deposit-addresses/deposit-address-book';
import { LedgerShards } from './shards/ledger-shards';
import { AuditWork } from './audit/audit-work';
import { CommandEvidence } from './callers/command-evidence';
import { FindDepositAddressHandler } from './deposit-addresses/find-deposit-address.handler';
import { ExplainTransactionHandler } from './audit/explain-transaction.handler';
import { GetDailyFiguresHandler } from './figures/get-daily-figures.handler';
import { GetPastBalanceHandler } from './audit/get-past-balance.handler';
import { GetTransactionHandler } from './transactions/get-transaction.handler';
import { GetWalletHandler } from './wallets/get-wallet.handler';
import { ListAssetCodesHandler } from './wallets/list-asset-codes.handler';
import { ExplainBalanceHandler } from './audit/explain-balance.handler';
import { ListCheckpointsHandler } from './audit/list-checkpoints.handler';
import { ListShardsHandler } from './shards/list-shards.handler';
import {
  ListShardCheckpointsHandler,
  ListSignedShardsHandler,
  ProveShardConsistencyHandler,
} from './audit/shards.handlers';
import { ListPublishedPositionsHandler } from './relay/list-published-positions.handler';
import { ReadFactsHandler } from './relay/read-facts.handler';
import { ListTransactionsByReferenceHandler } from './transactions/list-transactions-by-reference.handler';
import { ListTransactionsHandler } from './transactions/list-transactions.handler';
import { ListWalletsHandler } from './wallets/list-wallets.handler';
import { ProveConsistencyHandler } from './audit/prove-consistency.handler';
import { ProveLiabilityHandler } from './audit/prove-liability.handler';
import { ProveTransactionHandler } from './audit/prove-transaction.handler';
import { CloseCustomerAccountHandler } from './wallets/close-customer-account.handler';
import { ConfirmDepositHandler } from './deposits/confirm-deposit.handler';
import { ApprovePayoutHandler } from './payouts/approve-payout.handler';
import { ChangePolicyHandler } from './policies/change-policy.handler';
import { DryRunHoldPayoutHandler } from './payouts/dry-run-hold-payout.handler';
import { EndPayoutWaitHandler } from './payouts/end-payout-wait.handler';
import { GetPolicyHandler } from './policies/get-policy.handler';
import { RejectPayoutHandler } from './payouts/reject-payout.handler';
import { FailDepositHandler } from './deposits/fail-deposit.handler';
import { HoldPayoutHandler } from './payouts/hold-payout.handler';
import { MakeCheckpointHandler } from './audit/make-checkpoint.handler';
import { OpenWalletHandler } from './wallets/open-wallet.handler';
import { DryRunPostSwapHandler } from './swaps/dry-run-post-swap.handler';
import { PostSwapHandler } from './swaps/post-swap.handler';
import { RecordDepositHandler } from './deposits/record-deposit.handler';
import { ResolvePayoutHandler } from './payouts/resolve-payout.handler';
import { ReverseDepositHandler } from './deposits/reverse-deposit.handler';
import { GetDailyBalancesHandler } from './statements/get-daily-balances.handler';
import { ListWalletEntriesHandler } from './statements/list-wallet-entries.handler';
import { WalletLedgerConfiguration } from './wallet-ledger.configuration';

/** An instance that hangs within an append locks its shard's head for so long: shorter than the lease that it loses. */
const IDLE_TRANSACTION_TIMEOUT_MS = 2_000;

@Module({
  imports: [OperationHandlersModule],
  providers: [
    {
      provide: LedgerDatabase,
      inject: [WalletLedgerConfiguration],
      useFactory: ({ databaseUrl, poolSize, readConnections }: WalletLedgerConfiguration) =>
        new LedgerDatabase({
          url: databaseUrl,
          applicationName: 'wallet-ledger',
          poolSize: poolSize - readConnections,
          idleTransactionTimeoutMs: IDLE_TRANSACTION_TIMEOUT_MS,
        }),
    },
    {
      provide: LedgerReads,
      inject: [WalletLedgerConfiguration],
      useFactory: ({ databaseUrl, readConnections }: WalletLedgerConfiguration) =>
        new LedgerReads({
          url: databaseUrl,
          applicationName: 'wallet-ledger reads',
          poolName: 'reads',
          poolSize: readConnections,
          idleTransactionTimeoutMs: IDLE_TRANSACTION_TIMEOUT_MS,
        }),
    },
    { provide: MerchantReads, inject: [LedgerReads], useFactory: (reads: LedgerReads) => new MerchantReads(reads) },
    AuditWork,
    CommandEvidence,
    DepositAddressBook,
    LedgerShards,
    OpenWalletHandler,
    RecordDepositHandler,
    ConfirmDepositHandler,
    FailDepositHandler,
    ReverseDepositHandler,
    HoldPayoutHandler,
    DryRunHoldPayoutHandler,
    ResolvePayoutHandler,
    ApprovePayoutHandler,
    RejectPayoutHandler,
    EndPayoutWaitHandler,
    ChangePolicyHandler,
    GetPolicyHandler,
    PostSwapHandler,
    DryRunPostSwapHandler,
    CloseCustomerAccountHandler,
    MakeCheckpointHandler,
    GetWalletHandler,
    FindDepositAddressHandler,
    ListWalletsHandler,
    GetTransactionHandler,
    ListTransactionsHandler,
    ListTransactionsByReferenceHandler,
    ListAssetCodesHandler,
    GetPastBalanceHandler,
    GetDailyFiguresHandler,
    GetDailyBalancesHandler,
    ListWalletEntriesHandler,
    ExplainTransactionHandler,
    ListCheckpointsHandler,
    ListShardsHandler,
    ListShardCheckpointsHandler,
    ListSignedShardsHandler,
    ProveShardConsistencyHandler,
    ExplainBalanceHandler,
    ProveTransactionHandler,
    ProveConsistencyHandler,
    ProveLiabilityHandler,
    ReadFactsHandler,
    ListPublishedPositionsHandler,
  ],
})
export class WalletLedgerModule implements OnApplicationShutdown {
  constructor(
    private readonly database: LedgerDatabase,
    private readonly reads: LedgerReads,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.database.$disconnect(), this.reads.$disconnect()]);
  }
}
