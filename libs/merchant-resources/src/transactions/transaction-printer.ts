import { Injectable } from '@nestjs/common';
import { DEPOSIT_REFERENCE_FIELD, PayoutDestination, TransactionView } from '@stablecoin/contracts/wallet/views';
import { FreeTexts } from '../owners/free-texts';
import { NO_PROGRESS, OfMerchant, PendingProgress, Progress } from './pending-progress';
import { Destinations } from './destinations';
import { ExplorerLinks } from './explorer-links';
import { TransactionPrinting } from './transaction.presenter';

/** What of a transaction is sealed. */
interface Opened {
  destination: PayoutDestination | null;
  reason: string | null;
}
const NOTHING_OPENED: Opened = { destination: null, reason: null };

type Present<Printed> = (view: TransactionView, beside: TransactionPrinting) => Printed;

/** Prints transactions with what the ledger doesn't know of them: who is paid, and where the chain is. */
@Injectable()
export class TransactionPrinter {
  constructor(
    private readonly destinations: Destinations,
    private readonly freeTexts: FreeTexts,
    private readonly links: ExplorerLinks,
    private readonly progress: PendingProgress,
  ) {}

  async print<Printed>(view: TransactionView, present: Present<Printed>): Promise<Printed> {
    return this.printWith(NO_PROGRESS, view, await this.openedOf(view), present);
  }

  /**
   * At most a page of one merchant's transactions, of which all that is sealed is opened together.
   *
   * @param isOpened false for who may not see what is sealed: it is not asked for then, and no free text is shown
   */
  async printAll<Printed>(
    views: readonly TransactionView[],
    present: Present<Printed>,
    isOpened = true,
  ): Promise<Printed[]> {
    const opened = isOpened ? await this.openedOfAll(views) : [];
    return views.map((view, index) => this.printWith(NO_PROGRESS, view, opened[index] ?? NOTHING_OPENED, present));
  }

  /** One that was looked up: how far it is on its chain, and whether it is screened, is asked for too. */
  async printLookedUp<Printed>(
    view: TransactionView,
    merchant: OfMerchant,
    present: Present<Printed>,
    isOpened = true,
  ): Promise<Printed> {
    const [printed] = (await this.printAllLookedUp([view], merchant, present, isOpened)) as [Printed];
    return printed;
  }

  /** The same for a page of them, of which all that is sealed is opened together. */
  async printAllLookedUp<Printed>(
    views: readonly TransactionView[],
    merchant: OfMerchant,
    present: Present<Printed>,
    isOpened = true,
  ): Promise<Printed[]> {
    const [progress, opened] = await Promise.all([
      Promise.all(views.map((view) => this.progress.of(view, merchant))),
      isOpened ? this.openedOfAll(views) : [],
    ]);
    return views.map((view, index) =>
      this.printWith(progress[index] ?? NO_PROGRESS, view, opened[index] ?? NOTHING_OPENED, present),
    );
  }

  private printWith<Printed>(
    { crypto_transaction_id, ...confirmed }: Progress,
    view: TransactionView,
    { destination, reason }: Opened,
    present: Present<Printed>,
  ): Printed {
    const shown = { ...view, reason, crypto_transaction_id: view.crypto_transaction_id ?? crypto_transaction_id };
    return present(shown, { destination, explorer_url: this.links.urlOf(shown), ...confirmed });
  }

  private async openedOf(view: TransactionView): Promise<Opened> {
    const [opened = NOTHING_OPENED] = await this.openedOfAll([view]);
    return opened;
  }

  private async openedOfAll(views: readonly TransactionView[]): Promise<Opened[]> {
    const [first] = views;
    if (!first) return [];
    const texts = views.map(({ customer_id, reason: text }) => ({ customer_id, text, field: DEPOSIT_REFERENCE_FIELD }));
    const [destinations, reasons] = await Promise.all([
      this.destinations.ofAll(views),
      this.freeTexts.open(first.merchant_id, texts),
    ]);
    return views.map((_, index) => ({ destination: destinations[index] ?? null, reason: reasons[index] ?? null }));
  }
}
