import { FactoryProvider, Provider, Type } from '@nestjs/common';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { PayoutRailSettings } from '@stablecoin/service-host/payout-rails';
import { FreeTexts } from './owners/free-texts';
import { Owners } from './owners/owners';
import { SealedValues } from './owners/sealed-values';
import { NewPayouts } from './payouts/new-payouts';
import { OwnAddresses } from './payouts/own-addresses';
import { Prices } from './payouts/prices';
import { Destinations } from './transactions/destinations';
import { ExplorerLinks, ExplorerSettings } from './transactions/explorer-links';
import { PendingProgress } from './transactions/pending-progress';
import { TransactionPrinter } from './transactions/transaction-printer';
import { WalletDescriptions } from './wallets/wallet-descriptions';

/** Of the services that show merchants' resources, each its own class. */
type Settings = Type<PayoutRailSettings & ExplorerSettings>;

/** What finds, opens and prints a merchant's transactions and wallets, and makes payouts, in the gateway and at the console alike. */
export function merchantResources(configuration: Settings): Provider[] {
  const links: FactoryProvider = {
    provide: ExplorerLinks,
    inject: [configuration],
    useFactory: (settings: ExplorerSettings) => new ExplorerLinks(settings),
  };
  const progress: FactoryProvider = {
    provide: PendingProgress,
    inject: [BusClient, configuration],
    useFactory: (bus: BusClient, rails: PayoutRailSettings) => new PendingProgress(bus, rails),
  };
  const payouts: FactoryProvider = {
    provide: NewPayouts,
    inject: [Owners, Prices, OwnAddresses, Destinations, configuration],
    useFactory: (...of: ConstructorParameters<typeof NewPayouts>) => new NewPayouts(...of),
  };
  const opening = [Owners, SealedValues, FreeTexts, Destinations, WalletDescriptions];
  return [...opening, links, progress, TransactionPrinter, OwnAddresses, Prices, payouts];
}
