import { Module } from '@nestjs/common';
import { configuredWrapping } from '@stablecoin/key-wrapping/configured-wrapping';
import { KeyWrapping } from '@stablecoin/key-wrapping/key-wrapping';
import { OperationHandlersModule } from '@stablecoin/messaging/operation-handlers.module';
import { BusServer } from '@stablecoin/messaging/bus-server';
import { DatabaseWatch } from '@stablecoin/persistence/database-watch';
import { FactsModule } from '@stablecoin/facts/facts.module';
import { LedgerFactsConsumer } from './facts/ledger-facts.consumer';
import { MethodSaving } from './methods/method-saving';
import { OwnerKeys } from './owners/owner-keys';
import { PayoutWaits } from './payout-process/payout-waits';
import { DepositConfirmations } from './payout-process/deposit-confirmations';
import { PayoutConfiguration } from './payout.configuration';
import { DueClock } from './payout-process/due-clock';
import { PayoutStore } from './payout-process/payout-store';
import { PayoutFigures } from './payout-process/payout-figures';
import { PastPayouts } from './payout-process/past-payouts';
import { PayoutScreening } from './payout-process/payout-screening';
import { PayoutSteps } from './payout-process/payout-steps';
import { PayoutTerms } from './payout-process/payout-terms';
import { ProcessWorker } from './payout-process/process-worker';
import { ListPayoutParkedFactsHandler } from './facts/list-parked-facts.handler';
import { PayoutDatabase } from './persistence/payout-database';
import { ListPayoutMethodsHandler } from './methods/list-payout-methods.handler';
import { EvmRail } from './rails/evm-rail';
import { FindPayoutWaitHandler } from './payout-process/find-payout-wait.handler';
import { PayoutRails } from './rails/payout-rails';
import { SandboxRail } from './rails/sandbox-rail';
import { AddBankMethodHandler } from './methods/add-bank-method.handler';
import { AddWalletMethodHandler } from './methods/add-wallet-method.handler';
import { DeletePayoutMethodHandler } from './methods/delete-payout-method.handler';
import { SimulateDepositHandler } from './sandbox/simulate-deposit.handler';
import { SimulateDepositOutcomeHandler } from './sandbox/simulate-deposit-outcome.handler';
import { SimulatePayoutOutcomeHandler } from './sandbox/simulate-payout-outcome.handler';

const databaseWatch = {
  provide: DatabaseWatch,
  inject: [PayoutConfiguration, BusServer],
  useFactory: ({ databaseUrl }: PayoutConfiguration, server: BusServer) =>
    new DatabaseWatch({ url: databaseUrl, applicationName: 'payout' }, server),
};

const keyWrapping = {
  provide: KeyWrapping,
  inject: [PayoutConfiguration],
  useFactory: ({ dataKeys }: PayoutConfiguration) => configuredWrapping(dataKeys),
};

@Module({
  imports: [OperationHandlersModule, FactsModule],
  providers: [
    PayoutDatabase,
    databaseWatch,
    keyWrapping,
    OwnerKeys,
    MethodSaving,
    SandboxRail,
    EvmRail,
    PayoutRails,
    PayoutTerms,
    PayoutStore,
    PayoutScreening,
    PastPayouts,
    PayoutSteps,
    PayoutFigures,
    DepositConfirmations,
    PayoutWaits,
    DueClock,
    ProcessWorker,
    LedgerFactsConsumer,
    ListPayoutMethodsHandler,
    AddWalletMethodHandler,
    AddBankMethodHandler,
    DeletePayoutMethodHandler,
    SimulateDepositHandler,
    SimulateDepositOutcomeHandler,
    SimulatePayoutOutcomeHandler,
    FindPayoutWaitHandler,
    ListPayoutParkedFactsHandler,
  ],
})
export class PayoutModule {}
