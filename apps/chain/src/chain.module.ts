import { Module } from '@nestjs/common';
import { FactsModule } from '@stablecoin/facts/facts.module';
import { BusServer } from '@stablecoin/messaging/bus-server';
import { OperationHandlersModule } from '@stablecoin/messaging/operation-handlers.module';
import { DatabaseWatch } from '@stablecoin/persistence/database-watch';
import { KnownAddresses } from './addresses/known-addresses';
import { LedgerFactsConsumer } from './addresses/ledger-facts.consumer';
import { ChainConfiguration } from './chain.configuration';
import { DepositSteps } from './deposits/deposit-steps';
import { DepositStore } from './deposits/deposit-store';
import { DepositWorker } from './deposits/deposit-worker';
import { GetDepositHandler } from './deposits/get-deposit.handler';
import { Faucet } from './faucet/faucet';
import { FaucetStore } from './faucet/faucet-store';
import { SimulateDepositHandler } from './faucet/simulate-deposit.handler';
import { ChainNodes } from './nodes/chain-nodes';
import { TokenCodes } from './nodes/token-codes';
import { ChainDatabase } from './persistence/chain-database';
import { TransferStore } from './transfers/transfer-store';
import { ListUnrecognisedHandler } from './unrecognised/list-unrecognised.handler';
import { ResolveUnrecognisedHandler } from './unrecognised/resolve-unrecognised.handler';
import { BlockFollower } from './walk/block-follower';
import { DepositFinder } from './walk/deposit-finder';
import { NetworkWalk } from './walk/network-walk';
import { NodeAgreement } from './walk/node-agreement';
import { RescanHandler } from './walk/rescan.handler';
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
  ListUnrecognisedHandler,
  ResolveUnrecognisedHandler,
  FaucetStore,
  Faucet,
  SimulateDepositHandler,
  TransferStore,
];

@Module({
  imports: [OperationHandlersModule, FactsModule],
  providers: [databaseWatch, ...WATCHER],
})
export class ChainModule {}
