import { Currency } from '@stablecoin/money/currency';
import { Money } from '@stablecoin/money/money';
import { AccountId } from './accounts';
import { Wallet } from './entities';
import { JudgedPayout, LedgerEvent, OpenedTransaction, TransactionStatus } from './events';
import { LedgerView } from './ledger-state';

/**
 * Collects the legs of one transaction, each with its account's balance after it. The members of its events are in the order
 * of canonical text, which is quicker to write so.
 */
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
    const text = amount.toString();
    this.events.push({
      account_id: from,
      amount: text,
      balance_after: this.moved(from, amount.negated()).toString(),
      currency,
      judged,
      opens,
      transaction: this.transaction,
      type: 'DebitPosted',
      version: 1,
    });
    this.events.push({
      account_id: to,
      amount: text,
      balance_after: this.moved(to, amount).toString(),
      currency,
      transaction: this.transaction,
      type: 'CreditPosted',
      version: 1,
    });
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
      account_id: wallet.id,
      balance_after: this.balance(wallet.id, wallet.currency).toString(),
      crypto_transaction_id: details.crypto_transaction_id,
      fiat_reference_id: details.fiat_reference_id,
      from,
      opens: details.opens,
      to,
      transaction: this.transaction,
      type: 'TransactionStatusChanged',
      version: 1,
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
