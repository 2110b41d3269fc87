import { Currency } from '@stablecoin/money/currency';
import { Money } from '@stablecoin/money/money';
import { AccountId } from './accounts';
import { assertNever } from './assert-never';
import { Owner } from './commands';
import { Account, PolicyInForce, Transaction, Wallet } from './entities';
import { EPOCH, OpenedTransaction, RecordedEvent } from './events';
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
import {
  CountedPayout,
  noUsage,
  PayoutUsage,
  usageKey,
  UsageSubject,
  usageSubjectsOf,
  withHeld,
  withoutFailed,
  withRejected,
  withReleased,
} from './payout-usage';

/** What a decision may read. The caller of `decide` has loaded everything that the command names. */
export interface LedgerView {
  wallet(id: string): Wallet | undefined;
  walletOf(owner: Owner, currency: Currency): Wallet | undefined;
  walletsOf(owner: Owner): Wallet[];
  /** By `id` or by `transaction_id`. */
  transaction(reference: string): Transaction | undefined;
  account(id: AccountId, currency: Currency): Account;
  isClosed(owner: Owner): boolean;
  policy(merchantId: string): PolicyInForce | undefined;
  payoutUsage(merchantId: string, subject: UsageSubject): PayoutUsage;
}

/**
 * The part of the ledger that is in memory: what was loaded from the projections, with every event since folded in. It is
 * a cache: the log is the truth, and in doubt the cache is thrown away.
 */
export class LedgerState implements LedgerView {
  readonly wallets = new Map<string, Wallet>();
  readonly transactions = new Map<string, Transaction>();
  readonly accounts = new Map<AccountId, Account>();
  /** Whether a customer is closed, for those that were looked up. */
  readonly closedCustomers = new Map<string, boolean>();
  /** By merchant, null for one that has none, for those that were looked up. */
  readonly policies = new Map<string, PolicyInForce | null>();
  /** By `usageKey`. */
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

  isClosed(owner: Owner): boolean {
    return owner.customer_id !== null && this.closedCustomers.get(owner.customer_id) === true;
  }

  policy(merchantId: string): PolicyInForce | undefined {
    return this.policies.get(merchantId) ?? undefined;
  }

  payoutUsage(merchantId: string, subject: UsageSubject): PayoutUsage {
    return this.payoutUsages.get(usageKey(merchantId, subject)) ?? noUsage(merchantId, subject);
  }

  putPolicy(policy: PolicyInForce): void {
    this.policies.set(policy.merchant_id, policy);
  }

  putPayoutUsage(usage: PayoutUsage): void {
    this.payoutUsages.set(usageKey(usage.merchant_id, usage.subject), usage);
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
        this.closedCustomers.set(recorded.customer_id as string, true);
        return;
      case 'DebitPosted':
        this.move(event.account_id, event.currency, recorded);
        this.open(event.opens, event.balance_after, recorded);
        return;
      case 'CreditPosted':
        this.move(event.account_id, event.currency, recorded);
        return;
      case 'TransactionStatusChanged': {
        this.open(event.opens, event.balance_after, recorded);
        const transaction = known(this.transaction(event.transaction), event.transaction);
        if (!event.opens) this.putTransaction(movedTransaction(transaction, event, recorded));
        this.move(event.account_id, transaction.currency, recorded);
        if (event.to === 'FAILED') this.countOf(transaction, (usage, it) => withoutFailed(usage, it, it.created_at));
        return;
      }
      case 'PolicyChanged':
        this.putPolicy(changedPolicy(this.policy(recorded.merchant_id), event, recorded));
        return;
      case 'PolicyApplied': {
        const judged = judgedTransaction(known(this.transaction(event.transaction), event.transaction), event);
        this.putTransaction(judged);
        const { recorded_at } = recorded;
        const isReleased = judged.waiting_for === null;
        this.countOf(judged, (usage, it) => {
          const held = withHeld(usage, it, recorded_at);
          return isReleased ? withReleased(held, recorded_at) : held;
        });
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
        const isReleased = event.type === 'PayoutReleased';
        this.countOf(transaction, (usage) =>
          isReleased ? withReleased(usage, recorded.recorded_at) : withRejected(usage),
        );
        return;
      }
      default:
        assertNever(event);
    }
  }

  /** Of a payout that was judged by a policy: all that it counts for. */
  private countOf(
    transaction: Transaction,
    counted: (usage: PayoutUsage, it: CountedPayout & { created_at: string }) => PayoutUsage,
  ): void {
    if (!transaction.under_policy) return;
    const { under_policy, currency, amount } = transaction;
    const { units } = Money.parse(currency, amount);
    const payout = { ...transaction, destination: under_policy.destination, units };
    for (const subject of usageSubjectsOf(payout)) {
      this.putPayoutUsage(counted(this.payoutUsage(payout.merchant_id, subject), payout));
    }
  }

  private move(id: AccountId, currency: Currency, recorded: RecordedEvent): void {
    this.putAccount(movedAccount(this.account(id, currency), recorded));
  }

  private open(opened: OpenedTransaction | undefined, balance: string, recorded: RecordedEvent): void {
    if (opened) this.putTransaction(openedTransaction(opened, balance, recorded));
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
