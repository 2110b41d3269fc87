import { parseMoment } from '@stablecoin/contracts/wallet/as-of';
import {
  BalanceEvent,
  BalanceExplanation,
  ExplainBalance,
  explainBalance,
} from '@stablecoin/contracts/wallet/explain-balance';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { LedgerEvent, OpenedTransaction } from '@stablecoin/ledger-domain/events';
import { EventRow, recordedEvent } from '@stablecoin/ledger-store/event-rows';
import { AsOf, balanceAfter, eventsOfAccount, openingsOf, pastBalance } from '@stablecoin/ledger-store/history';
import { Handles } from '@stablecoin/messaging/handles';
import { Currency } from '@stablecoin/money/currency';
import { Money } from '@stablecoin/money/money';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { LedgerDatabases } from '../databases/ledger-databases';
import { AuditWork } from './audit-work';
import { LATEST } from './get-past-balance.handler';

/** Reads the log alone. Whether the changes add up is for who is shown them to check. */
@Handles(explainBalance)
export class ExplainBalanceHandler {
  constructor(
    private readonly databases: LedgerDatabases,
    private readonly work: AuditWork,
  ) {}

  execute(request: ExplainBalance): Promise<BalanceExplanation> {
    return this.work.run(() => asRefusal(() => this.explain(request)));
  }

  /**
   * Of the database that has the wallet: the one who asks, an auditor of the operator, does not name its shard.
   *
   * @throws Refusal `unavailable` where none has it that answers, and one gives no answer
   */
  private async pastBalanceOf(walletId: string, at: AsOf) {
    const { answering } = this.databases;
    const found = await Promise.all(
      answering.map(async ({ reads }) => ({ reads, past: await pastBalance(reads, walletId, at) })),
    );
    // A database that the shard has left has it as well, as it was then.
    const shard = found.find(({ past }) => past)?.past?.origin.shard;
    const { reads } = shard === undefined ? {} : await this.databases.forReads(shard);
    const past = found.find((one) => one.reads === reads)?.past;
    if (reads && past) return { reads, ...past };
    this.databases.requireAll();
    throw new Refusal('not_found');
  }

  private async explain({ wallet_id, as_of, limit }: ExplainBalance): Promise<BalanceExplanation> {
    const { reads, origin, found } = await this.pastBalanceOf(wallet_id, (as_of && parseMoment(as_of)) || LATEST);
    const { merchant_id, shard, currency } = origin;
    const zero = Money.zero(currency).toString();
    const rows = found ? await eventsOfAccount(reads, wallet_id, limit, found) : [];
    const openings = await openingsOf(
      reads,
      rows.flatMap(({ transaction }) => transaction ?? []),
    );
    const events = rows.map((row) => explained(row, currency, openings));
    const [first] = events;
    const opening = first ? before(first.balance_after, first.change, currency) : zero;
    return {
      ...{ wallet_id, merchant_id, shard, currency, opening, balance: found?.balance ?? zero },
      events: events.reverse(),
      earlier: first && first.position > origin.position ? String(first.position - 1) : null,
    };
  }
}

function explained(
  { body, hash }: EventRow,
  currency: Currency,
  openings: ReadonlyMap<string, OpenedTransaction>,
): BalanceEvent {
  const recorded = recordedEvent(body);
  const { position, recorded_at, movement, event } = recorded;
  return {
    ...{ position, recorded_at, movement, type: event.type },
    change: changeOf(event, currency).toString(),
    balance_after: balanceAfter(recorded),
    transaction_id: ('transaction' in event && openings.get(event.transaction)?.transaction_id) || null,
    hash: hash.toString('hex'),
  };
}

function changeOf(event: LedgerEvent, currency: Currency): Money {
  if (event.type === 'CreditPosted') return Money.parseSigned(currency, event.amount);
  if (event.type === 'DebitPosted') return Money.parseSigned(currency, event.amount).negated();
  return Money.zero(currency);
}

const before = (after: string, change: string, currency: Currency): string =>
  Money.parseSigned(currency, after).plus(Money.parseSigned(currency, change).negated()).toString();
