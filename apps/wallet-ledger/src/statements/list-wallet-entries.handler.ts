import {
  ListWalletEntries,
  listWalletEntries,
  WalletEntriesView,
  WalletEntryView,
} from '@stablecoin/contracts/wallet/list-wallet-entries';
import { balanceBefore, entriesOf, PostedEntry } from '@stablecoin/ledger-store/wallet-history';
import { Handles } from '@stablecoin/messaging/handles';
import { Money } from '@stablecoin/money/money';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { AuditWork } from '../audit/audit-work';
import { LedgerDatabases } from '../databases/ledger-databases';
import { ownWallet } from './own-wallet';

/** Of about 250 bytes each: far less than a message may have. */
const ENTRIES_MAX = 500;

@Handles(listWalletEntries)
export class ListWalletEntriesHandler {
  constructor(
    private readonly databases: LedgerDatabases,
    private readonly work: AuditWork,
  ) {}

  execute(request: ListWalletEntries): Promise<WalletEntriesView> {
    return this.work.run(() => asRefusal(() => this.entries(request)));
  }

  private async entries({ wallet_id, ...request }: ListWalletEntries): Promise<WalletEntriesView> {
    const { reads } = await this.databases.forReads();
    const { currency, shard } = await ownWallet(reads, { wallet_id, ...request });
    const found = await entriesOf(reads, { id: wallet_id, shard }, request, ENTRIES_MAX + 1);
    const page = found.slice(0, ENTRIES_MAX);
    const before = await balanceBefore(reads, wallet_id, request, page[0]?.recorded);
    return {
      wallet_id,
      currency,
      opening_balance: before ?? Money.zero(currency).toString(),
      items: page.map(entryView),
      next: found.length > page.length ? (page.at(-1)?.recorded.position ?? null) : null,
    };
  }
}

function entryView({ recorded, transaction_id, transaction_type }: PostedEntry): WalletEntryView {
  const { position, recorded_at, movement, event } = recorded;
  if (event.type !== 'DebitPosted' && event.type !== 'CreditPosted')
    throw new Error(`position ${position} posts nothing`);
  const amount = Money.parse(event.currency, event.amount);
  return {
    position,
    recorded_at,
    movement,
    transaction_id,
    transaction_type: transaction_type as WalletEntryView['transaction_type'],
    amount: (event.type === 'DebitPosted' ? amount.negated() : amount).toString(),
    balance_after: event.balance_after,
  };
}
