import { Injectable } from '@nestjs/common';
import { PayoutDestination, TransactionView } from '@stablecoin/contracts/wallet/views';
import { Caller } from '../authentication/caller';
import { ChainProgress, NO_PROGRESS, Progress } from './chain-progress';
import { Destinations } from './destinations';
import { ExplorerLinks } from './explorer-links';
import { TransactionPrinting } from './transaction.presenter';

type Present<Printed> = (view: TransactionView, beside: TransactionPrinting) => Printed;

/** Prints transactions with what the ledger doesn't know of them: who is paid, and where the chain is. */
@Injectable()
export class TransactionPrinter {
  constructor(
    private readonly destinations: Destinations,
    private readonly links: ExplorerLinks,
    private readonly progress: ChainProgress,
  ) {}

  async print<Printed>(view: TransactionView, present: Present<Printed>): Promise<Printed> {
    return this.printWith(NO_PROGRESS, view, await this.destinations.of(view), present);
  }

  /** At most a page of one merchant's transactions, whose destinations are opened together. */
  async printAll<Printed>(views: readonly TransactionView[], present: Present<Printed>): Promise<Printed[]> {
    const destinations = await this.destinations.ofAll(views);
    return views.map((view, index) => this.printWith(NO_PROGRESS, view, destinations[index] ?? null, present));
  }

  /** One that was looked up: how far it is on its chain is asked for too. */
  async printLookedUp<Printed>(view: TransactionView, caller: Caller, present: Present<Printed>): Promise<Printed> {
    const [progress, destination] = await Promise.all([this.progress.of(view, caller), this.destinations.of(view)]);
    return this.printWith(progress, view, destination, present);
  }

  private printWith<Printed>(
    { crypto_transaction_id, ...confirmed }: Progress,
    view: TransactionView,
    destination: PayoutDestination | null,
    present: Present<Printed>,
  ): Printed {
    const shown = { ...view, crypto_transaction_id: view.crypto_transaction_id ?? crypto_transaction_id };
    return present(shown, { destination, explorer_url: this.links.urlOf(shown), ...confirmed });
  }
}
