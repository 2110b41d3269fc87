import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { CloseCustomerAccount, closeCustomerAccount } from '@stablecoin/contracts/wallet/close-customer-account';
import { ConfirmDeposit, confirmDeposit } from '@stablecoin/contracts/wallet/confirm-deposit';
import { ExplainTransaction, explainTransaction } from '@stablecoin/contracts/wallet/explain-transaction';
import { GetPastBalance, getPastBalance } from '@stablecoin/contracts/wallet/get-past-balance';
import { GetTransaction, getTransaction } from '@stablecoin/contracts/wallet/get-transaction';
import { GetWallet, getWallet } from '@stablecoin/contracts/wallet/get-wallet';
import { HoldPayout, holdPayout } from '@stablecoin/contracts/wallet/hold-payout';
import { ListAssetCodes, listAssetCodes } from '@stablecoin/contracts/wallet/list-asset-codes';
import { ListCheckpoints, listCheckpoints } from '@stablecoin/contracts/wallet/list-checkpoints';
import { ListTransactions, listTransactions } from '@stablecoin/contracts/wallet/list-transactions';
import {
  ListTransactionsByReference,
  listTransactionsByReference,
} from '@stablecoin/contracts/wallet/list-transactions-by-reference';
import { ListWallets, listWallets } from '@stablecoin/contracts/wallet/list-wallets';
import { MakeCheckpoint, makeCheckpoint } from '@stablecoin/contracts/wallet/make-checkpoint';
import { OpenWallet, openWallet } from '@stablecoin/contracts/wallet/open-wallet';
import { PostSwap, postSwap } from '@stablecoin/contracts/wallet/post-swap';
import { ProveConsistency, proveConsistency } from '@stablecoin/contracts/wallet/prove-consistency';
import { ProveTransaction, proveTransaction } from '@stablecoin/contracts/wallet/prove-transaction';
import { RecordDeposit, recordDeposit } from '@stablecoin/contracts/wallet/record-deposit';
import { ResolvePayout, resolvePayout } from '@stablecoin/contracts/wallet/resolve-payout';
import { Handles, MessageContext } from '@stablecoin/messaging/handles';
import { ExplainTransactionQuery } from './queries/explain-transaction/explain-transaction.handler';
import { GetPastBalanceQuery } from './queries/get-past-balance/get-past-balance.handler';
import { GetTransactionQuery } from './queries/get-transaction/get-transaction.handler';
import { GetWalletQuery } from './queries/get-wallet/get-wallet.handler';
import { ListAssetCodesQuery } from './queries/list-asset-codes/list-asset-codes.handler';
import { ListCheckpointsQuery } from './queries/list-checkpoints/list-checkpoints.handler';
import { ListTransactionsByReferenceQuery } from './queries/list-transactions-by-reference/list-transactions-by-reference.handler';
import { ListTransactionsQuery } from './queries/list-transactions/list-transactions.handler';
import { ListWalletsQuery } from './queries/list-wallets/list-wallets.handler';
import { ProveConsistencyQuery } from './queries/prove-consistency/prove-consistency.handler';
import { ProveTransactionQuery } from './queries/prove-transaction/prove-transaction.handler';
import { CloseCustomerAccountCommand } from './use-cases/close-customer-account/close-customer-account.handler';
import { ConfirmDepositCommand } from './use-cases/confirm-deposit/confirm-deposit.handler';
import { HoldPayoutCommand } from './use-cases/hold-payout/hold-payout.handler';
import { MakeCheckpointCommand } from './use-cases/make-checkpoint/make-checkpoint.handler';
import { OpenWalletCommand } from './use-cases/open-wallet/open-wallet.handler';
import { PostSwapCommand } from './use-cases/post-swap/post-swap.handler';
import { RecordDepositCommand } from './use-cases/record-deposit/record-deposit.handler';
import { ResolvePayoutCommand } from './use-cases/resolve-payout/resolve-payout.handler';

/** Every subject this service answers. Commands are answered by the owner of the merchant's shard, queries by anyone. */
@Controller()
export class WalletLedgerMessages {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Handles(openWallet)
  openWallet(request: OpenWallet, { shard }: MessageContext) {
    return this.commands.execute(new OpenWalletCommand(request, shard));
  }

  @Handles(recordDeposit)
  recordDeposit(request: RecordDeposit, { shard }: MessageContext) {
    return this.commands.execute(new RecordDepositCommand(request, shard));
  }

  @Handles(confirmDeposit)
  confirmDeposit(request: ConfirmDeposit, { shard }: MessageContext) {
    return this.commands.execute(new ConfirmDepositCommand(request, shard));
  }

  @Handles(holdPayout)
  holdPayout(request: HoldPayout, { shard }: MessageContext) {
    return this.commands.execute(new HoldPayoutCommand(request, shard));
  }

  @Handles(resolvePayout)
  resolvePayout(request: ResolvePayout, { shard }: MessageContext) {
    return this.commands.execute(new ResolvePayoutCommand(request, shard));
  }

  @Handles(postSwap)
  postSwap(request: PostSwap, { shard }: MessageContext) {
    return this.commands.execute(new PostSwapCommand(request, shard));
  }

  @Handles(closeCustomerAccount)
  closeCustomerAccount(request: CloseCustomerAccount, { shard }: MessageContext) {
    return this.commands.execute(new CloseCustomerAccountCommand(request, shard));
  }

  @Handles(makeCheckpoint)
  makeCheckpoint(_request: MakeCheckpoint, { shard }: MessageContext) {
    return this.commands.execute(new MakeCheckpointCommand(shard));
  }

  @Handles(getWallet)
  getWallet(request: GetWallet) {
    return this.queries.execute(new GetWalletQuery(request));
  }

  @Handles(listWallets)
  listWallets(request: ListWallets) {
    return this.queries.execute(new ListWalletsQuery(request));
  }

  @Handles(getTransaction)
  getTransaction(request: GetTransaction) {
    return this.queries.execute(new GetTransactionQuery(request));
  }

  @Handles(listTransactions)
  listTransactions(request: ListTransactions) {
    return this.queries.execute(new ListTransactionsQuery(request));
  }

  @Handles(listTransactionsByReference)
  listTransactionsByReference(request: ListTransactionsByReference) {
    return this.queries.execute(new ListTransactionsByReferenceQuery(request));
  }

  @Handles(listAssetCodes)
  listAssetCodes(request: ListAssetCodes) {
    return this.queries.execute(new ListAssetCodesQuery(request));
  }

  @Handles(getPastBalance)
  getPastBalance(request: GetPastBalance) {
    return this.queries.execute(new GetPastBalanceQuery(request));
  }

  @Handles(explainTransaction)
  explainTransaction(request: ExplainTransaction) {
    return this.queries.execute(new ExplainTransactionQuery(request));
  }

  @Handles(listCheckpoints)
  listCheckpoints(request: ListCheckpoints) {
    return this.queries.execute(new ListCheckpointsQuery(request));
  }

  @Handles(proveTransaction)
  proveTransaction(request: ProveTransaction) {
    return this.queries.execute(new ProveTransactionQuery(request));
  }

  @Handles(proveConsistency)
  proveConsistency(request: ProveConsistency) {
    return this.queries.execute(new ProveConsistencyQuery(request));
  }
}
