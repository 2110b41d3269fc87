import { Injectable, Logger } from '@nestjs/common';
import { DerivesAddresses } from '@stablecoin/addresses/derive-address';
import { AddressesExhausted } from '@stablecoin/addresses/public-addresses';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Network } from '@stablecoin/money/currency';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { LedgerDatabases } from '../databases/ledger-databases';
import { WalletLedgerConfiguration } from '../wallet-ledger.configuration';
import { configuredAddresses } from './configured-addresses';

/** Of indexes that were drawn and not used; more are forgotten, and leave gaps, which do no harm. */
const UNUSED_MAX = 1_000;
/** Where there are several databases: so many wallets can be opened while home, which gives the indexes, is away. */
const RESERVE = 64;

/** Deposit addresses, by an index that belongs to one wallet for ever. */
@Injectable()
export class DepositAddressBook {
  private readonly addresses: DerivesAddresses;
  private readonly log = new Logger(DepositAddressBook.name);
  private readonly unused: number[] = [];
  private filling: Promise<void> | undefined;

  constructor(
    configuration: WalletLedgerConfiguration,
    private readonly databases: LedgerDatabases,
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
    if (this.databases.areSeveral && this.unused.length < RESERVE / 2) this.keepReserve();
    return returned ?? ((await this.draw(1))[0] as number);
  }

  /** So many new ones, the lowest first. */
  private async draw(count: number): Promise<number[]> {
    const { indexes, is_taken } = await this.next(count);
    if (!is_taken && !(await this.haveOthers(indexes))) return indexes;
    const [index = 0] = indexes;
    this.log.error(
      `deposit_address_index was at ${index}, which a wallet has: somebody has set it back. Run audit verify; see docs/OPERATIONS.md`,
    );
    await this.passOver((await this.lastTaken()) - (indexes.at(-1) ?? index));
    return (await this.next(count)).indexes;
  }

  /** And whether a wallet at home has one of them. */
  private async next(count: number): Promise<{ indexes: number[]; is_taken: boolean }> {
    const { database } = this.databases.home;
    const [row] = await asRefusal(
      () => database.$queryRaw<{ indexes: number[]; is_taken: boolean }[]>`
        WITH drawn AS MATERIALIZED (
          SELECT nextval('deposit_address_index') AS index FROM generate_series(1, ${count}::int)
        )
        SELECT array_agg(index::float8 ORDER BY index) AS indexes,
          bool_or(EXISTS (SELECT FROM wallets WHERE address_index = drawn.index)) AS is_taken FROM drawn`,
    );
    if (!row) throw new Error('the sequence gave no number');
    return row;
  }

  /** Whether a wallet of another database has one of them; one that gives no answer is not waited for. */
  private async haveOthers(indexes: readonly number[]): Promise<boolean> {
    const others = this.databases.answering.filter((one) => one !== this.databases.home);
    const found = await Promise.all(
      others.map(({ reads }) =>
        asRefusal(
          () => reads.$queryRaw<{ is_taken: boolean }[]>`
            SELECT EXISTS (SELECT FROM wallets WHERE address_index = ANY (${indexes}::int[])) AS is_taken`,
        ),
      ),
    );
    return found.some(([row]) => row?.is_taken);
  }

  private async lastTaken(): Promise<number> {
    const found = await Promise.all(
      this.databases.answering.map(({ reads }) =>
        asRefusal(
          () => reads.$queryRaw<{ index: number | null }[]>`
            SELECT max(address_index)::float8 AS index FROM wallets`,
        ),
      ),
    );
    return Math.max(0, ...found.map(([row]) => row?.index ?? 0));
  }

  private async passOver(count: number): Promise<void> {
    await asRefusal(
      () => this.databases.home.database.$queryRaw`
        SELECT max(nextval('deposit_address_index')) FROM generate_series(1, ${Math.max(0, count)}::int)`,
    );
  }

  /** Beside the requests, and once at a time; while home is away the next request tries again. */
  private keepReserve(): void {
    this.filling ??= this.fillReserve()
      .catch((error: unknown) => this.log.warn(`no reserve of address indexes: ${(error as Error).message}`))
      .finally(() => (this.filling = undefined));
  }

  private async fillReserve(): Promise<void> {
    const drawn = await this.draw(RESERVE - this.unused.length);
    // The lowest is given first: a list of addresses for Solana is used from its beginning.
    this.unused.unshift(...drawn.reverse());
  }

  /** After a command that was answered, and may have opened the wallet for which the index was drawn. */
  async returnUnused({ wallet_id, address_index }: { wallet_id: string; address_index: number }): Promise<void> {
    const opened = await this.isOpened(wallet_id).catch(() => 1);
    if (opened === 0) this.returnIndex(address_index);
  }

  private async isOpened(walletId: string): Promise<number> {
    return this.databases.of().database.wallet.count({ where: { id: walletId } });
  }

  /** Only of a command that certainly opened no wallet with it: otherwise two wallets would share their addresses. */
  returnIndex(index: number): void {
    if (this.unused.length < UNUSED_MAX) this.unused.push(index);
  }
}
