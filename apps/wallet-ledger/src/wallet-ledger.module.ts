import { Module, OnApplicationShutdown } from '@nestjs/common';
import { OperationHandlersModule } from '@stablecoin/messaging/operation-handlers.module';
import { connectDatabases } from './databases/connect-databases';
import { DatabaseWatches } from './databases/database-watches';
import { LedgerDatabases } from './databases/ledger-databases';
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

@Module({
  imports: [OperationHandlersModule],
  providers: [
    { provide: LedgerDatabases, inject: [WalletLedgerConfiguration], useFactory: connectDatabases },
    DatabaseWatches,
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
  constructor(private readonly databases: LedgerDatabases) {}

  onApplicationShutdown(): Promise<void> {
    return this.databases.close();
  }
}
