/** A ledger in memory for the specs of the decider, and a command of each kind. */
import { Currency } from '@stablecoin/money/currency';
import { Money } from '@stablecoin/money/money';
import { HoldPayout, LedgerCommand, OpenWallet, PostSwap, RecordDeposit, ResolvePayout } from '../commands';
import { decide } from '../decide';
import { EventGroup, RecordedEvent } from '../events';
import { LedgerRejection } from '../ledger-rejection';
import { LedgerState } from '../ledger-state';

export const MERCHANT = 'merchant-1';
export const OTHER_MERCHANT = 'merchant-2';
export const CUSTOMER = 'customer-1';
export const owner = { merchant_id: MERCHANT, customer_id: null };
export const customer = { merchant_id: MERCHANT, customer_id: CUSTOMER };

/** A ledger that decides and folds like the writer does, in memory. */
export class Scenario {
  readonly state = new LedgerState();
  readonly events: RecordedEvent[] = [];
  /** What time it is; a second later with each event unless it is set. */
  now: string | undefined;
  private ids = 0;

  when(command: LedgerCommand): EventGroup[] {
    const context = {
      shard: 0,
      nextPosition: this.events.length + 1,
      now: this.now ?? new Date((this.events.length + 1) * 1_000).toISOString(),
      deriveAddress: (network: string, index: number) => `${network}-${index}`,
    };
    const groups = decide(command, this.state, context);
    for (const { movement, merchant_id, customer_id, events } of groups) {
      const group = this.events.length + 1;
      for (const event of events) {
        const position = this.events.length + 1;
        const recorded_at = this.now ?? new Date(position * 1_000).toISOString();
        const place = { shard: 0, position, group, movement, recorded_at, command_id: 'command' };
        const recorded: RecordedEvent = { ...place, merchant_id, customer_id, event };
        this.events.push(recorded);
        this.state.apply(recorded);
      }
    }
    return groups;
  }

  given(...commands: LedgerCommand[]): this {
    commands.forEach((command) => this.when(command));
    return this;
  }

  /** The code of the refusal, which has changed nothing; or `accepted`. */
  refusalOf(command: LedgerCommand): string {
    const before = JSON.stringify(this.dump());
    try {
      this.when(command);
    } catch (error) {
      if (!(error instanceof LedgerRejection)) throw error;
      if (JSON.stringify(this.dump()) !== before) throw new Error('a refusal has changed the ledger');
      return error.code;
    }
    return 'accepted';
  }

  balance(account: string, currency: Currency = 'USD'): string {
    return this.state.account(account, currency).balance.toString();
  }

  /** The sum of all accounts of a currency. */
  sum(currency: Currency): string {
    return [...this.state.accounts.values()]
      .filter(({ balance }) => balance.currency === currency)
      .reduce((total, { balance }) => total.plus(balance), Money.zero(currency))
      .toString();
  }

  id(stem: string): string {
    return `${stem}-${(this.ids += 1)}`;
  }

  private dump() {
    const { wallets, accounts, transactions, closedCustomers, policies, payoutUsages } = this.state;
    const texts = [...accounts.values()].map(({ balance, reversed_deposits, ...account }) => ({
      ...account,
      balance: balance.toString(),
      reversed_deposits: reversed_deposits.toString(),
    }));
    const counted = [...payoutUsages.values()].map(({ used, ...usage }) => ({ ...usage, used: textOf(used) }));
    return [[...wallets.values()], texts, [...transactions.values()], [...closedCustomers], [...policies], counted];
  }
}

const textOf = (value: unknown) =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each));

export const open = (currency: Currency, more: Partial<OpenWallet> = {}): OpenWallet => ({
  kind: 'OpenWallet',
  ...owner,
  wallet_id: `wallet-${currency}`,
  address_id: `address-${currency}-${more.network ?? ''}`,
  address_index: 3,
  currency,
  network: null,
  description: null,
  ...more,
});

export const deposit = (amount: string, more: Partial<RecordDeposit> = {}): RecordDeposit => ({
  kind: 'RecordDeposit',
  merchant_id: MERCHANT,
  id: 'deposit-1',
  reference_id: 'reference-1',
  wallet_id: 'wallet-USD',
  amount,
  network: null,
  reference: null,
  confirmed: true,
  ...more,
});

export type DepositSaid = 'ConfirmDeposit' | 'FailDeposit' | 'ReverseDeposit';
/** What the rail says of a deposit. */
export const said = (kind: DepositSaid) => ({ kind, merchant_id: MERCHANT, transaction: 'deposit-1' });
export const hold = (amount: string, more: Partial<HoldPayout> = {}): HoldPayout => ({
  kind: 'HoldPayout',
  ...owner,
  id: 'payout-1',
  reference_id: 'reference-2',
  currency: 'USD',
  amount,
  network: null,
  sealed_destination: 'sealed',
  bank_name: 'A Bank',
  bank_code: '058',
  recipient_currency: 'NGN',
  recipient_country: 'Nigeria',
  exchange_rate: '1500.5',
  fee_schedule: null,
  ...more,
});

export const resolve = (resolution: ResolvePayout['resolution'], transaction = 'payout-1'): ResolvePayout => ({
  kind: 'ResolvePayout',
  merchant_id: MERCHANT,
  transaction,
  resolution,
  rail_reference: 'RAIL-1',
  onward: { debit_id: 'sent-1', credit_id: 'received-1', wallet_id: 'wallet-of-merchant', address_index: 8 },
});

export const swap = (from_amount: string, to_amount: string, more: Partial<PostSwap> = {}): PostSwap => ({
  kind: 'PostSwap',
  ...owner,
  debit_id: 'swap-debit',
  credit_id: 'swap-credit',
  swap_id: 'quote-1',
  from_currency: 'USD',
  to_currency: 'NGN',
  from_amount,
  to_amount,
  quoted_price: '1500',
  valid_until: '2026-01-01T00:00:00.000Z',
  ...more,
});

export const close = (customer_id: string): LedgerCommand => ({
  kind: 'CloseCustomer',
  merchant_id: MERCHANT,
  customer_id,
});
export const funded = (amount = '100') => new Scenario().given(open('USD'), deposit(amount));
export const FEE = { flat: '1', basis_points: 50 };
