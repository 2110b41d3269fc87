import { Currency } from '@stablecoin/money/currency';
import { Money } from '@stablecoin/money/money';
import { AccountId } from './accounts';
import { assertNever } from './assert-never';
import { Owner } from './commands';
import { usagesAfter } from './counted-payouts';
import { Account, PolicyInForce, Transaction, Wallet } from './entities';
import { EPOCH, JudgedPayout, OpenedTransaction, RecordedEvent } from './events';
import {
  addedAddress,
  approvedTransaction,
  awaitedTransaction,
  changedPolicy,
  judgedTransaction,
  movedAccount,
  movedTransaction,
  openedTransaction,
  openedWallet,
  withAddress,
} from './evolve';
import { noUsage, PayoutUsage, UsageName } from './payout-usage';

/** What a decision may read. The caller of `decide` has loaded everything that the command names. */
export interface LedgerView {
  wallet(id: string): Wallet | undefined;
  walletOf(owner: Owner, currency: Currency): Wallet | undefined;
  walletsOf(owner: Owner): Wallet[];
  /** By `id` or by `transaction_id`. */
  transaction(reference: string): Transaction | undefined;
  account(id: AccountId, currency: Currency): Account;
  isClosed(owner: Owner): boolean;
  /** The merchant as whose a customer was closed. */
  closedBy(customerId: string): string | undefined;
  policy(merchantId: string): PolicyInForce | undefined;
  payoutUsage(name: UsageName): PayoutUsage;
}

/**
 * The part of the ledger that is in memory: what was loaded from the projections, with every event since folded in. It is
 * a cache: the log is the truth, and in doubt the cache is thrown away.
 */
export class LedgerState implements LedgerView {
  readonly wallets = new Map<string, Wallet>();
  readonly transactions = new Map<string, Transaction>();
  readonly accounts = new Map<AccountId, Account>();
  /** The merchant as whose a customer was closed, null for one that is open, for those that were looked up. */
  readonly closedCustomers = new Map<string, string | null>();
  /** By merchant, null for one that has none, for those that were looked up. */
  readonly policies = new Map<string, PolicyInForce | null>();
  /** By their keys. */
  readonly payoutUsages = new Map<string, PayoutUsage>();
  private readonly walletIds = new Map<string, string>();
  private readonly transactionIds = new Map<string, string>();

  wallet(id: string): Wallet | undefined {
    return this.wallets.get(id);
  }

  walletOf(owner: Owner, currency: Currency): Wallet | undefined {
    return this.wallets.get(this.walletIds.get(ownerKey(owner, currency)) ?? '');
  }

  walletsOf(owner: Owner): Wallet[] {
    return [...this.wallets.values()].filter(
      (wallet) => wallet.merchant_id === owner.merchant_id && wallet.customer_id === owner.customer_id,
    );
  }

  transaction(reference: string): Transaction | undefined {
    return this.transactions.get(reference) ?? this.transactions.get(this.transactionIds.get(reference) ?? '');
  }

  account(id: AccountId, currency: Currency): Account {
    return this.accounts.get(id) ?? untouchedAccount(id, currency);
  }

  isClosed({ merchant_id, customer_id }: Owner): boolean {
    return customer_id !== null && this.closedBy(customer_id) === merchant_id;
  }

  closedBy(customerId: string): string | undefined {
    return this.closedCustomers.get(customerId) ?? undefined;
  }

  policy(merchantId: string): PolicyInForce | undefined {
    return this.policies.get(merchantId) ?? undefined;
  }

  payoutUsage(name: UsageName): PayoutUsage {
    return this.payoutUsages.get(name.key) ?? noUsage(name);
  }

  putPolicy(policy: PolicyInForce): void {
    this.policies.set(policy.merchant_id, policy);
  }

  putPayoutUsage(usage: PayoutUsage): void {
    this.payoutUsages.set(usage.key, usage);
  }

  putWallet(wallet: Wallet): void {
    this.wallets.set(wallet.id, wallet);
    this.walletIds.set(ownerKey(wallet, wallet.currency), wallet.id);
  }

  putTransaction(transaction: Transaction): void {
    this.transactions.set(transaction.id, transaction);
    this.transactionIds.set(transaction.transaction_id, transaction.id);
  }

  putAccount(account: Account): void {
    this.accounts.set(account.account_id, account);
  }

  forgetWallet(wallet: Wallet): void {
    this.wallets.delete(wallet.id);
    this.accounts.delete(wallet.id);
    this.walletIds.delete(ownerKey(wallet, wallet.currency));
  }

  forgetTransaction(transaction: Transaction): void {
    this.transactions.delete(transaction.id);
    this.transactionIds.delete(transaction.transaction_id);
  }

  /** Folds one event in. Its wallet and its transaction must be in memory: loaded, or opened by an earlier event. */
  apply(recorded: RecordedEvent): void {
    const { event } = recorded;
    switch (event.type) {
      case 'WalletOpened':
        this.putWallet(openedWallet(event, recorded));
        return;
      case 'DepositAddressAdded': {
        const wallet = known(this.wallet(event.wallet_id), event.wallet_id);
        this.putWallet(withAddress(wallet, addedAddress(event, recorded)));
        return;
      }
      case 'CustomerClosed':
        this.closedCustomers.set(recorded.customer_id as string, recorded.merchant_id);
        return;
      case 'DebitPosted':
        this.move(event.account_id, event.currency, recorded);
        this.open(event.opens, event.balance_after, recorded, event.judged);
        if (event.judged) this.count(recorded, known(this.transaction(event.transaction), event.transaction));
        return;
      case 'CreditPosted':
        this.move(event.account_id, event.currency, recorded);
        return;
      case 'TransactionStatusChanged': {
        this.open(event.opens, event.balance_after, recorded);
        const transaction = known(this.transaction(event.transaction), event.transaction);
        if (!event.opens) this.putTransaction(movedTransaction(transaction, event, recorded));
        this.move(event.account_id, transaction.currency, recorded);
        this.count(recorded, transaction);
        return;
      }
      case 'PolicyChanged':
        this.putPolicy(changedPolicy(this.policy(recorded.merchant_id), event, recorded));
        return;
      case 'PolicyApplied': {
        const judged = judgedTransaction(known(this.transaction(event.transaction), event.transaction), event);
        this.putTransaction(judged);
        this.count(recorded, judged);
        return;
      }
      case 'PayoutApproved': {
        const transaction = known(this.transaction(event.transaction), event.transaction);
        this.putTransaction(approvedTransaction(transaction, event, recorded));
        return;
      }
      case 'PayoutReleased':
      case 'PayoutRejected': {
        const transaction = known(this.transaction(event.transaction), event.transaction);
        this.putTransaction(awaitedTransaction(transaction, recorded));
        this.count(recorded, transaction);
        return;
      }
      default:
        assertNever(event);
    }
  }

  private count(recorded: RecordedEvent, payout: Transaction): void {
    usagesAfter(recorded, payout, (name) => this.payoutUsage(name)).forEach((usage) => this.putPayoutUsage(usage));
  }

  private move(id: AccountId, currency: Currency, recorded: RecordedEvent): void {
    this.putAccount(movedAccount(this.account(id, currency), recorded));
  }

  private open(
    opened: OpenedTransaction | undefined,
    balance: string,
    recorded: RecordedEvent,
    judged?: JudgedPayout,
  ): void {
    if (opened) this.putTransaction(openedTransaction(opened, balance, recorded, judged));
  }
}

function untouchedAccount(account_id: AccountId, currency: Currency): Account {
  const zero = Money.zero(currency);
  return { account_id, balance: zero, open_transactions: 0, reversed_deposits: zero, updated_at: EPOCH };
}

/** One wallet per owner and currency. */
export function ownerKey(owner: Owner, currency: Currency): string {
  return `${owner.merchant_id}/${owner.customer_id ?? ''}/${currency}`;
}

function known<Thing>(thing: Thing | undefined, id: string): Thing {
  if (thing === undefined) throw new Error(`${id} was neither loaded nor opened`);
  return thing;
}
