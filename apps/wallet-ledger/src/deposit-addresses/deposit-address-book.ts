import { Injectable } from '@nestjs/common';
import { DepositAddresses } from '@stablecoin/addresses/derive-address';
import { Network } from '@stablecoin/money/currency';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { WalletLedgerConfiguration } from '../wallet-ledger.configuration';

/** Deposit addresses, derived from the seed and an index that belongs to one wallet for ever. */
@Injectable()
export class DepositAddressBook {
  private readonly derived: DepositAddresses;

  constructor(
    configuration: WalletLedgerConfiguration,
    private readonly database: LedgerDatabase,
  ) {
    this.derived = new DepositAddresses(configuration.depositSeed);
  }

  derive(network: Network, index: number): string {
    return this.derived.derive(network, index);
  }

  /** An index that no other wallet gets. One that is not used leaves a gap, which does no harm. */
  async drawIndex(): Promise<number> {
    const [row] = await asRefusal(
      () => this.database.$queryRaw<{ index: bigint }[]>`SELECT nextval('deposit_address_index') AS index`,
    );
    if (!row) throw new Error('the sequence gave no number');
    return Number(row.index);
  }
}
