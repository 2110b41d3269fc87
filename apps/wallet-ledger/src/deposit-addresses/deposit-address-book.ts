import { Injectable, Logger } from '@nestjs/common';
import { DerivesAddresses } from '@stablecoin/addresses/derive-address';
import { AddressesExhausted } from '@stablecoin/addresses/public-addresses';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Network } from '@stablecoin/money/currency';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { WalletLedgerConfiguration } from '../wallet-ledger.configuration';
import { configuredAddresses } from './configured-addresses';

/** Of indexes that were drawn and not used; more are forgotten, and leave gaps, which do no harm. */
const UNUSED_MAX = 1_000;

/** Deposit addresses, by an index that belongs to one wallet for ever. */
@Injectable()
export class DepositAddressBook {
  private readonly addresses: DerivesAddresses;
  private readonly log = new Logger(DepositAddressBook.name);
  private readonly unused: number[] = [];

  constructor(
    configuration: WalletLedgerConfiguration,
    private readonly database: LedgerDatabase,
  ) {
    this.addresses = configuredAddresses(configuration);
  }

  /** @throws Refusal `unavailable` until somebody provides more addresses of the network; nothing was done then */
  derive(network: Network, index: number): string {
    try {
      return this.addresses.derive(network, index);
    } catch (error) {
      if (!(error instanceof AddressesExhausted)) throw error;
      this.log.error(`${error.message}: see "Addresses without the seed" in docs/OPERATIONS.md`);
      throw Refusal.notExecuted();
    }
  }

  /**
   * An index that no other wallet has: one that was returned, or a new one. There are 2^31, so requests that open no
   * wallet must not use them up. The counter is the database's, and its owner can set it back: an index that a wallet has
   * is passed over, with all up to the last one.
   */
  async drawIndex(): Promise<number> {
    const returned = this.unused.pop();
    if (returned !== undefined) return returned;
    const { index, is_taken } = await this.next(1);
    if (!is_taken) return index;
    const [last] = await asRefusal(
      () => this.database.$queryRaw<{ index: number }[]>`SELECT max(address_index)::float8 AS index FROM wallets`,
    );
    this.log.error(
      `deposit_address_index was at ${index}, which a wallet has: somebody has set it back. Run audit verify; see docs/OPERATIONS.md`,
    );
    return (await this.next(Math.max(1, (last?.index ?? index) - index + 1))).index;
  }

  /** The last one of so many, and whether a wallet has it. */
  private async next(count: number): Promise<{ index: number; is_taken: boolean }> {
    const [row] = await asRefusal(
      () => this.database.$queryRaw<{ index: number; is_taken: boolean }[]>`
        WITH drawn AS MATERIALIZED (
          SELECT max(nextval('deposit_address_index')) AS index FROM generate_series(1, ${count}::int)
        )
        SELECT index::float8, EXISTS (SELECT FROM wallets WHERE address_index = index) AS is_taken FROM drawn`,
    );
    if (!row) throw new Error('the sequence gave no number');
    return row;
  }

  /** After a command that was answered, and may have opened the wallet for which the index was drawn. */
  async returnUnused({ wallet_id, address_index }: { wallet_id: string; address_index: number }): Promise<void> {
    const opened = await this.database.wallet.count({ where: { id: wallet_id } }).catch(() => 1);
    if (opened === 0) this.returnIndex(address_index);
  }

  /** Only of a command that certainly opened no wallet with it: otherwise two wallets would share their addresses. */
  returnIndex(index: number): void {
    if (this.unused.length < UNUSED_MAX) this.unused.push(index);
  }
}
