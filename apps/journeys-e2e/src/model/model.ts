/**
 * A model of the service in memory: the customers, what each of them has, and which requests are refused with which
 * code. Written from the interface's description, with its own arithmetic, and as plainly as possible: no log, no
 * projection, no concurrency. Where it and the service disagree, one of them is wrong.
 *
 * Each change is two functions: one returns why it is refused, or null; the other makes it, with the ids that the
 * service gave. Refusals stand in one order: existence and whose it is, status, currency, limits, funds.
 */
import { Limit, Policy } from './policy';
import { Currency, exchanged, feeOn, FeeSchedule, isFinerThan, isStablecoin, printed, unitsOf } from './amounts';

export const STATUS_OF = {
  validation_failed: 400,
  insufficient_scope: 403,
  approver_not_allowed: 403,
  not_found: 404,
  email_taken: 409,
  phone_taken: 409,
  wallet_exists: 409,
  quote_required: 409,
  quote_used: 409,
  customer_type_mismatch: 409,
  customer_not_empty: 409,
  invalid_transition: 409,
  approval_mismatch: 409,
  limit_exceeded: 422,
  insufficient_funds: 422,
  quote_expired: 422,
  quote_mismatch: 422,
  amount_too_small: 422,
  wallet_not_found: 422,
  customer_closed: 422,
  idempotency_key_reused: 422,
  unsupported_pair: 422,
} as const;

export type Code = keyof typeof STATUS_OF;
/** Why a request is refused; null: it is accepted. */
export type Verdict = Code | null;

export const MERCHANT = 'the merchant';
/** Customers by the names that the commands call them. */
export const CUSTOMERS = { Ada: 'individual', Bea: 'individual', 'Marina Ltd': 'business' } as const;
export type CustomerName = keyof typeof CUSTOMERS;
export type OwnerName = typeof MERCHANT | CustomerName;

export interface Customer {
  name: CustomerName;
  id: string;
  email: string;
  phone: string;
  status: 'active' | 'closed';
  /** First name, or name of the business. */
  called: string;
}

export interface Wallet {
  id: string;
  owner: OwnerName;
  currency: Currency;
  balance: bigint;
  networks: string[];
  /** Every balance that it had, for payouts that settle at an unknown moment. */
  balances: bigint[];
}

export type Status = 'PENDING' | 'COMPLETED' | 'FAILED' | 'REVERSED';

export interface Transaction {
  /** How it is called in words, such as `payout 2`. */
  label: string;
  wallet: Wallet;
  type: 'DEPOSIT' | 'PAYOUT' | 'INTERNAL TRANSFER';
  mode: 'CREDIT' | 'DEBIT';
  amount: bigint;
  fee: bigint | null;
  status: Status;
  /** The wallet's balance right after the latest event of this transaction. */
  balance: bigint;
  /** All fields that a look-up prints and that never change: ids, times, destination, reference. */
  fixed: Readonly<Record<string, unknown>> & { id: string; transaction_id: string; reference_id: string };
  created_at: string;
  /**
   * How the rail ends it by itself, until that was seen; null: it is held until its outcome is requested, or has ended.
   */
  awaits: Exclude<Status, 'PENDING'> | null;
  /** How its rail is going to end a payout that waits for an approval, once it has that. */
  waiting: { end: Transaction['awaits']; approvalHash: string } | null;
  /** How many balances its wallet had had when the payout was taken. */
  since: number;
}

export interface Quote {
  id: string;
  label: string;
  owner: OwnerName;
  from: Currency;
  to: Currency;
  amount: bigint;
  price: string;
  used: boolean;
  /** Grows with each creation and refresh: the highest is the most recent. */
  rank: number;
  expiresAt: number;
}

export interface Method {
  id: string;
  owner: OwnerName;
  type: 'BANK' | 'WALLET';
  currency: Currency;
}

/** The price of a pair, as quotes print it. */
export type PriceOf = (from: Currency, to: Currency) => string;
export type Outcome = 'complete' | 'fail' | 'return';
export type DepositOutcome = 'complete' | 'fail' | 'reverse';

export class Model {
  readonly customers: Customer[] = [];
  readonly wallets: Wallet[] = [];
  /** In the order in which they were made, as all lists here. */
  readonly transactions: Transaction[] = [];
  readonly quotes: Quote[] = [];
  readonly methods: Method[] = [];
  private ranks = 0;

  constructor(
    readonly feeSchedule: FeeSchedule | null,
    readonly priceOf: PriceOf,
    readonly policy: Policy | null = null,
  ) {}

  // ── Who ──────────────────────────────────────────────────────────────────────────────────────────────────────

  customer(name: OwnerName): Customer | undefined {
    return this.customers.find((customer) => customer.name === name);
  }

  exists(owner: OwnerName): boolean {
    return owner === MERCHANT || this.customer(owner) !== undefined;
  }

  isClosed(owner: OwnerName): boolean {
    return this.customer(owner)?.status === 'closed';
  }

  idOf(owner: OwnerName): string | null {
    return this.customer(owner)?.id ?? null;
  }

  refusesContact(email: string | undefined, phone: string | undefined, of?: CustomerName): Verdict {
    const others = this.customers.filter(({ name }) => name !== of);
    if (others.some((other) => other.email === email?.toLowerCase())) return 'email_taken';
    return others.some((other) => other.phone === phone) ? 'phone_taken' : null;
  }

  refusesUpdate(name: CustomerName, change: { email?: string; phone?: string }): Verdict {
    if (this.isClosed(name)) return 'customer_closed';
    return this.refusesContact(change.email, change.phone, name);
  }

  refusesClosing(name: CustomerName): Verdict {
    const isEmpty = this.wallets.every(({ owner, balance }) => owner !== name || balance === 0n);
    const hasOpen = this.transactions.some(({ wallet, status }) => wallet.owner === name && status === 'PENDING');
    return this.isClosed(name) || (isEmpty && !hasOpen) ? null : 'customer_not_empty';
  }

  // ── Wallets and deposits ─────────────────────────────────────────────────────────────────────────────────────

  wallet(owner: OwnerName, currency: Currency): Wallet | undefined {
    return this.wallets.find((wallet) => wallet.owner === owner && wallet.currency === currency);
  }

  refusesWallet(owner: OwnerName, currency: Currency, network: string | undefined): Verdict {
    const isUnfit = isStablecoin(currency) === (network === undefined);
    if (isUnfit) return 'validation_failed';
    if (this.isClosed(owner)) return 'customer_closed';
    const existing = this.wallet(owner, currency);
    const isNew = network !== undefined && !existing?.networks.includes(network);
    return existing && !isNew ? 'wallet_exists' : null;
  }

  openWallet(id: string, owner: OwnerName, currency: Currency, network: string | undefined): Wallet {
    let wallet = this.wallet(owner, currency);
    if (!wallet) {
      wallet = { id, owner, currency, balance: 0n, networks: [], balances: [0n] };
      this.wallets.push(wallet);
    }
    if (network !== undefined) wallet.networks.push(network);
    return wallet;
  }

  move(wallet: Wallet, by: bigint): bigint {
    wallet.balance += by;
    wallet.balances.push(wallet.balance);
    return wallet.balance;
  }

  refusesDepositOutcome({ status }: Transaction, outcome: DepositOutcome): Verdict {
    return status === (outcome === 'reverse' ? 'COMPLETED' : 'PENDING') ? null : 'invalid_transition';
  }

  /** A reversed deposit's money is gone, whether the wallet has it or not. */
  endDeposit(deposit: Transaction, outcome: DepositOutcome): void {
    const { wallet, amount } = deposit;
    deposit.status = ({ complete: 'COMPLETED', fail: 'FAILED', reverse: 'REVERSED' } as const)[outcome];
    deposit.balance = this.move(wallet, { complete: amount, fail: 0n, reverse: -amount }[outcome]);
  }

  /** By so much the wallet can be below zero. */
  reversedIn(wallet: Wallet): bigint {
    const reversed = this.transactions.filter((one) => one.wallet === wallet && one.type === 'DEPOSIT');
    return reversed.reduce((sum, { status, amount }) => (status === 'REVERSED' ? sum + amount : sum), 0n);
  }

  // ── Quotes and swaps ─────────────────────────────────────────────────────────────────────────────────────────

  refusesQuote(owner: OwnerName, from: Currency, to: Currency, amount: bigint): Verdict {
    if (this.isClosed(owner)) return 'customer_closed';
    if (from === to) return 'unsupported_pair';
    return exchanged(amount, this.priceOf(from, to), to) === 0n ? 'amount_too_small' : null;
  }

  refusesRefresh(quote: Quote, asked: Pick<Quote, 'owner' | 'from' | 'to' | 'amount'>): Verdict {
    if (quote.owner !== asked.owner) return 'not_found';
    if (this.isClosed(quote.owner)) return 'customer_closed';
    if (quote.used) return 'quote_used';
    return isSameExchange(quote, asked) ? null : 'quote_mismatch';
  }

  /** A new or refreshed quote is the most recent one. */
  renew(quote: Quote, price: string, expires_at: string): void {
    Object.assign(quote, { price, expiresAt: Date.parse(expires_at), rank: (this.ranks += 1) });
  }

  /** The quote that a swap takes: the one that it names, else the most recent open one of owner, pair and amount. */
  quoteFor(swap: Pick<Quote, 'owner' | 'from' | 'to' | 'amount'>, named: Quote | undefined): Quote | Code {
    if (named) {
      if (named.owner !== swap.owner) return 'not_found';
      if (!isSameExchange(named, swap)) return 'quote_mismatch';
      return named.used ? 'quote_used' : named;
    }
    const fitting = this.quotes.filter((quote) => quote.owner === swap.owner && isSameExchange(quote, swap));
    const open = fitting.filter(({ used }) => !used).sort((one, other) => other.rank - one.rank);
    return open[0] ?? (fitting.length > 0 ? 'quote_used' : 'quote_required');
  }

  refusesSwap({ owner, from, to, amount }: Pick<Quote, 'owner' | 'from' | 'to' | 'amount'>): Verdict {
    const paying = this.wallet(owner, from);
    if (!paying || !this.wallet(owner, to)) return 'wallet_not_found';
    return paying.balance < amount ? 'insufficient_funds' : null;
  }

  // ── Payouts ──────────────────────────────────────────────────────────────────────────────────────────────────

  /** What a payout takes out of the wallet. */
  costOf(amount: bigint, currency: Currency): bigint {
    return amount + (feeOn(amount, currency, this.feeSchedule) ?? 0n);
  }

  refusesPayout(owner: OwnerName, currency: Currency, amount: bigint, destination: string): Verdict {
    if (isFinerThan(currency, amount)) return 'validation_failed';
    if (this.isClosed(owner)) return 'customer_closed';
    const wallet = this.wallet(owner, currency);
    if (!wallet) return 'wallet_not_found';
    if (this.isOverLimit(wallet, amount, destination)) return 'limit_exceeded';
    return wallet.balance < this.costOf(amount, currency) ? 'insufficient_funds' : null;
  }

  /** Whether one payout more is too much, after `before` others of the same amount. */
  isOverLimit({ owner, currency }: Wallet, amount: bigint, destination: string, before = 0): boolean {
    if (!this.policy) return false;
    const limits = this.policy.limits.filter((limit) => limit.currency === currency);
    if (limits.length === 0) return true;
    return limits.some((limit) => {
      if (limit.per === 'customer' && owner === MERCHANT) return false;
      const counted = this.countedBy(limit, owner, destination);
      const others = limit.within === 'payment' ? 0 : before;
      const units = counted.reduce((sum, each) => sum + each.amount, amount * BigInt(others + 1));
      const isMore = limit.amount !== undefined && units > unitsOf(limit.amount);
      return isMore || (limit.count !== undefined && counted.length + others + 1 > limit.count);
    });
  }

  private countedBy({ per, within, currency }: Limit, owner: OwnerName, destination: string): Transaction[] {
    if (within === 'payment') return [];
    return this.transactions.filter(
      ({ type, status, wallet, fixed }) =>
        type === 'PAYOUT' &&
        status !== 'FAILED' &&
        wallet.currency === currency &&
        (per !== 'customer' || wallet.owner === owner) &&
        (per !== 'destination' || destinationOf(fixed) === destination),
    );
  }

  needsApproval(currency: Currency, amount: bigint): boolean {
    const above = this.policy?.approval?.above.find((each) => each.currency === currency);
    return above !== undefined && amount > unitsOf(above.amount);
  }

  refusesApproval({ waiting }: Transaction, by: 'creator' | 'approver', isHashRight: boolean): Verdict {
    if (by === 'creator') return 'insufficient_scope';
    if (!waiting) return 'invalid_transition';
    return isHashRight ? null : 'approval_mismatch';
  }

  refusesOutcome({ status, waiting }: Transaction, outcome: Outcome): Verdict {
    if (waiting) return 'invalid_transition';
    return status === (outcome === 'return' ? 'COMPLETED' : 'PENDING') ? null : 'invalid_transition';
  }

  /** A completed payout's money is gone; that of a failed or returned one is the wallet's again, fee included. */
  resolve(payout: Transaction, status: Exclude<Status, 'PENDING'>): void {
    const { wallet, amount } = payout;
    payout.status = status;
    payout.awaits = null;
    payout.waiting = null;
    payout.balance = status === 'COMPLETED' ? wallet.balance : this.move(wallet, amount + (payout.fee ?? 0n));
  }

  // ── Lists ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The transactions that match the filters, newest first. */
  transactionsBy(filter: Readonly<Record<string, string>>): Transaction[] {
    const wanted = Object.entries(filter);
    return this.transactions
      .filter((each) => wanted.every(([name, value]) => this.matches(each, name, value)))
      .reverse();
  }

  private matches(transaction: Transaction, filter: string, value: string): boolean {
    const { fixed, wallet, created_at } = transaction;
    switch (filter) {
      case 'customer_id':
        return this.idOf(wallet.owner) === value;
      case 'status':
        return transaction.status === value;
      case 'transaction_type':
        return transaction.type === value;
      case 'transaction_mode':
        return transaction.mode === value;
      case 'currency':
        return wallet.currency === value.toUpperCase();
      case 'start_date':
        return created_at.slice(0, 10) >= value;
      case 'end_date':
        return created_at.slice(0, 10) <= value;
      case 'waiting_for':
        return value === 'approval' && transaction.waiting !== null;
      case 'transaction_id':
        return fixed.transaction_id === value;
      case 'search':
        return fixed.transaction_id.includes(value.toUpperCase()) || fixed.id.includes(value.toLowerCase());
      default:
        throw new Error(`The model knows no filter ${filter}.`);
    }
  }

  /** A look-up of the transaction, field by field. */
  printed(transaction: Transaction): Record<string, unknown> {
    const { fixed, wallet, fee } = transaction;
    return {
      ...fixed,
      status: transaction.status,
      asset_code: wallet.currency,
      amount: printed(transaction.amount),
      fee: fee === null ? null : printed(fee),
      balance: printed(transaction.balance),
      transaction_type: transaction.type,
      transaction_mode: transaction.mode,
      customer_id: this.idOf(wallet.owner),
      ...(transaction.type === 'PAYOUT' && { waiting_for: transaction.waiting ? 'approval' : null }),
    };
  }

  labelled(kind: string): string {
    return `${kind} ${this.transactions.filter(({ label }) => label.startsWith(`${kind} `)).length + 1}`;
  }
}

/** Where a payout goes, by what its look-up prints. */
export const destinationOf = (fixed: Readonly<Record<string, unknown>>): string =>
  String(fixed['bank_account'] ?? fixed['address']);

const isSameExchange = (one: Pick<Quote, 'from' | 'to' | 'amount'>, other: Pick<Quote, 'from' | 'to' | 'amount'>) =>
  one.from === other.from && one.to === other.to && one.amount === other.amount;
