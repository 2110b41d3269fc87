import { Module } from '@nestjs/common';
import { FactsModule } from '@stablecoin/facts/facts.module';
import { BusServer } from '@stablecoin/messaging/bus-server';
import { OperationHandlersModule } from '@stablecoin/messaging/operation-handlers.module';
import { DatabaseWatch } from '@stablecoin/persistence/database-watch';
import { KnownAddresses } from './addresses/known-addresses';
import { LedgerFactsConsumer } from './addresses/ledger-facts.consumer';
import { ChainConfiguration } from './chain.configuration';
import { DepositScreening } from './deposits/deposit-screening';
import { DepositSteps } from './deposits/deposit-steps';
import { DepositStore } from './deposits/deposit-store';
import { DepositWorker } from './deposits/deposit-worker';
import { PastDeposits } from './deposits/past-deposits';
import { GetDepositHandler } from './deposits/get-deposit.handler';
import { ListChainParkedFactsHandler } from './facts/list-parked-facts.handler';
import { Faucet } from './faucet/faucet';
import { FaucetStore } from './faucet/faucet-store';
import { SimulateDepositHandler } from './faucet/simulate-deposit.handler';
import { AnswersOfBlock } from './nodes/answers-of-block';
import { ChainNodes } from './nodes/chain-nodes';
import { TokenCodes } from './nodes/token-codes';
import { ChainDatabase } from './persistence/chain-database';
import { ChainStatusHandler } from './status/chain-status.handler';
import { StatusQuery } from './status/status-query';
import { Broadcasting } from './transfers/broadcasting';
import { CancelTransferHandler } from './transfers/cancel-transfer.handler';
import { ChainsNow } from './transfers/chain-now';
import { GetTransferHandler } from './transfers/get-transfer.handler';
import { GetPublicKeysHandler } from './transfers/get-public-keys.handler';
import { LanePass } from './transfers/lane-pass';
import { LaneSights } from './transfers/lane-sights';
import { LaneStore } from './transfers/lane-store';
import { ListTransfersHandler } from './transfers/list-transfers.handler';
import { LookUpTransferHandler } from './transfers/look-up-transfer.handler';
import { OurKeys } from './transfers/our-keys';
import { ResumeLaneHandler } from './transfers/resume-lane.handler';
import { Sender } from './transfers/sender';
import { SubmitTransferHandler } from './transfers/submit-transfer.handler';
import { TransferFigures } from './transfers/transfer-figures';
import { TransferSigning } from './transfers/transfer-signing';
import { TransferStore } from './transfers/transfer-store';
import { TransferViews } from './transfers/transfer-views';
import { Balances } from './treasury/balances';
import { DerivedAddresses } from './treasury/derived-addresses';
import { GetTreasuryHandler } from './treasury/get-treasury.handler';
import { NetworkTreasury } from './treasury/network-treasury';
import { Treasurer } from './treasury/treasurer';
import { TreasuryFigures } from './treasury/treasury-figures';
import { TreasuryReportQuery } from './treasury/treasury-report';
import { TreasuryStore } from './treasury/treasury-store';
import { ListMerchantUnrecognisedHandler } from './unrecognised/list-merchant-unrecognised.handler';
import { ListUnrecognisedHandler } from './unrecognised/list-unrecognised.handler';
import { ResolveUnrecognisedHandler } from './unrecognised/resolve-unrecognised.handler';
import { BlockFollower } from './walk/block-follower';
import { DepositFinder } from './walk/deposit-finder';
import { NetworkWalk } from './walk/network-walk';
import { NodeAgreement } from './walk/node-agreement';
import { RescanHandler } from './walk/rescan.handler';
import { RescanRecentHandler } from './walk/rescan-recent.handler';
import { SecondLook } from './walk/second-look';
import { WalkFigures } from './walk/walk-figures';
import { WalkStore } from './walk/walk-store';
import { Walker } from './walk/walker';

const databaseWatch = {
  provide: DatabaseWatch,
  inject: [ChainConfiguration, BusServer],
  useFactory: ({ databaseUrl }: ChainConfiguration, server: BusServer) =>
    new DatabaseWatch({ url: databaseUrl, applicationName: 'chain' }, server),
};

/** Beside the bus and the process: all that watches chains. */
export const WATCHER = [
  ChainDatabase,
  TokenCodes,
  ChainNodes,
  KnownAddresses,
  LedgerFactsConsumer,
  DepositStore,
  DepositScreening,
  PastDeposits,
  DepositSteps,
  DepositWorker,
  GetDepositHandler,
  WalkStore,
  BlockFollower,
  NodeAgreement,
  DepositFinder,
  SecondLook,
  NetworkWalk,
  Walker,
  WalkFigures,
  RescanHandler,
  RescanRecentHandler,
  ListUnrecognisedHandler,
  ListMerchantUnrecognisedHandler,
  ResolveUnrecognisedHandler,
  FaucetStore,
  Faucet,
  SimulateDepositHandler,
];

/** And all that sends. */
export const SENDER = [
  AnswersOfBlock,
  Broadcasting,
  CancelTransferHandler,
  GetPublicKeysHandler,
  ChainsNow,
  LanePass,
  LaneSights,
  LaneStore,
  ListTransfersHandler,
  LookUpTransferHandler,
  OurKeys,
  ResumeLaneHandler,
  Sender,
  SubmitTransferHandler,
  TransferFigures,
  TransferSigning,
  TransferStore,
  TransferViews,
];

/** What we hold, moved between addresses of ours. */
const TREASURY = [TreasuryStore, DerivedAddresses, Balances, NetworkTreasury, Treasurer, TreasuryFigures];

/** What operators ask, whether or not anything is managed here. */
const REPORTS = [
  TreasuryReportQuery,
  GetTreasuryHandler,
  StatusQuery,
  ChainStatusHandler,
  GetTransferHandler,
  ListChainParkedFactsHandler,
];

@Module({
  imports: [OperationHandlersModule, FactsModule],
  providers: [databaseWatch, ...WATCHER, ...SENDER, ...TREASURY, ...REPORTS],
})
export class ChainModule {}
