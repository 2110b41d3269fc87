import { Currency } from '@stablecoin/money/currency';
import { Money } from '@stablecoin/money/money';
import { AccountId } from './accounts';
import { Wallet } from './entities';
import { JudgedPayout, LedgerEvent, OpenedTransaction, TransactionStatus } from './events';
import { LedgerView } from './ledger-state';

/** Collects the legs of one transaction, each with its account's balance after it. */
export class Legs {
  private readonly events: LedgerEvent[] = [];

  constructor(
    private readonly ledger: LedgerView,
    private readonly transaction: string,
    private readonly balances = new Map<AccountId, Money>(),
  ) {}

  /** The legs of another transaction, which follow these. */
  of(transaction: string): Legs {
    return new Legs(this.ledger, transaction, this.balances);
  }

  /** A debit and a credit of the same amount; nothing for an amount of zero. */
  transfer(amount: Money, from: AccountId, to: AccountId, opens?: OpenedTransaction, judged?: JudgedPayout): void {
    if (amount.isZero()) return;
    const { currency } = amount;
    const posting = { version: 1, transaction: this.transaction, currency, amount: amount.toString() } as const;
    const debited = this.moved(from, amount.negated()).toString();
    this.events.push({ type: 'DebitPosted', ...posting, account_id: from, balance_after: debited, opens, judged });
    const credited = this.moved(to, amount).toString();
    this.events.push({ type: 'CreditPosted', ...posting, account_id: to, balance_after: credited });
  }

  take(): LedgerEvent[] {
    return this.events.splice(0);
  }

  statusChanged(
    wallet: Pick<Wallet, 'id' | 'currency'>,
    from: TransactionStatus | null,
    to: TransactionStatus,
    details: { opens?: OpenedTransaction; crypto_transaction_id?: string; fiat_reference_id?: string } = {},
  ): LedgerEvent {
    return {
      type: 'TransactionStatusChanged',
      version: 1,
      transaction: this.transaction,
      from,
      to,
      account_id: wallet.id,
      balance_after: this.balance(wallet.id, wallet.currency).toString(),
      ...details,
    };
  }

  private moved(account: AccountId, by: Money): Money {
    const after = this.balance(account, by.currency).plus(by);
    this.balances.set(account, after);
    return after;
  }

  /** The balance after the legs so far. */
  balance(account: AccountId, currency: Currency): Money {
    return this.balances.get(account) ?? this.ledger.account(account, currency).balance;
  }
}
