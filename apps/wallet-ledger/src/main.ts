import { bootService } from '@stablecoin/service-host/boot';
import { WalletLedgerConfiguration } from './wallet-ledger.configuration';
import { WalletLedgerModule } from './wallet-ledger.module';

void bootService({
  name: 'wallet-ledger',
  configuration: WalletLedgerConfiguration,
  module: WalletLedgerModule,
});
