import { randomUUID } from 'node:crypto';
import { Money } from '@stablecoin/money/money';
import { Drawing } from '../../drawing';
import { HELD_CURRENCIES, HeldCurrency, Merchant } from './merchants';
import { FinalStatus, Operation } from './operation';

const UNITS_PER_ONE = 100_000_000n;
/** What every currency has units for. */
const UNITS_PER_CENT = 1_000_000n;
const LEAST = 10n;
/** So that no payout or swap of the mix ever lacks money: what is refused is what asks for far more. */
const FIRST_DEPOSIT = 100_000_000n;
const FAR_TOO_MUCH = 10_000_000_000n;
const CHAIN_ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const BANK = { bank_name: 'First Bank', bank_code: '011' };

/** By what they are to the sandbox: most arrive, some fail, some come back. */
const OUTCOMES: readonly { ends: FinalStatus; account: string; recipient: string }[] = [
  { ends: 'COMPLETED', account: '0123456789', recipient: 'Ada Obi' },
  { ends: 'COMPLETED', account: '0123456788', recipient: 'Ada Obi' },
  { ends: 'COMPLETED', account: '0123456787', recipient: 'Ada Obi' },
  { ends: 'FAILED', account: '0123450001', recipient: 'sandbox:fail' },
  { ends: 'REVERSED', account: '0123450002', recipient: 'sandbox:return' },
];
/** One payout in so many asks for more than there is. */
const REFUSED_ONE_IN = 12;

/** Makes the operations of a run, each with an amount that no other has: a round one, and its serial number in cents. */
export class DrawnOperations {
  private serial = 0;

  constructor(private readonly draw: Drawing) {}

  deposit(merchant: Merchant, first?: { owner: Merchant['owners'][number]; currency: HeldCurrency }): Operation {
    const owner = first?.owner ?? this.draw.oneOf(merchant.owners);
    const currency = first?.currency ?? this.draw.oneOf(HELD_CURRENCIES);
    const amount = this.amount(currency, first ? FIRST_DEPOSIT : LEAST);
    return this.operation('deposit', merchant, owner, amount, {
      path: '/sandbox/deposits',
      body: { wallet_id: owner.wallets[currency], amount: amount.toString() },
    });
  }

  payout(merchant: Merchant): Operation {
    const owner = this.draw.oneOf(merchant.owners);
    const currency = this.draw.oneOf(HELD_CURRENCIES);
    const tooMuch = this.draw.next() < 1 / REFUSED_ONE_IN;
    const amount = this.amount(currency, tooMuch ? FAR_TOO_MUCH : LEAST);
    const { ends, account, recipient } = this.draw.oneOf(OUTCOMES);
    const common = { ...idOf(owner.customerId), currency, amount: amount.toString(), recipient_name: recipient };
    const request =
      currency === 'USDT'
        ? { path: '/payouts/wallets', body: { ...common, address: CHAIN_ADDRESS, network: 'erc20' } }
        : { path: '/payouts/banks', body: { ...common, ...BANK, account_number: account } };
    const operation = this.operation('payout', merchant, owner, amount, request);
    return { ...operation, ends, expected: tooMuch ? 'refused' : 'acknowledged' };
  }

  /** The request's body lacks its quote until there is one. */
  swap(merchant: Merchant): Operation & { to: HeldCurrency } {
    const owner = this.draw.oneOf(merchant.owners);
    const from = this.draw.oneOf(HELD_CURRENCIES);
    const to = this.draw.oneOf(HELD_CURRENCIES.filter((currency) => currency !== from));
    const amount = this.amount(from, LEAST);
    const body = { ...idOf(owner.customerId), from_currency: from, to_currency: to, amount: amount.toString() };
    return { ...this.operation('swap', merchant, owner, amount, { path: '/swaps', body }), to };
  }

  private operation(
    kind: Operation['kind'],
    merchant: Merchant,
    owner: Operation['owner'],
    amount: Money,
    request: Pick<Operation, 'path' | 'body'>,
  ): Operation {
    return {
      ...{ serial: this.serial, kind, merchant, owner, amount, ...request },
      ...{ key: randomUUID(), expected: 'acknowledged', outcome: 'open', ends: 'COMPLETED' },
      ...{ beganAt: Date.now(), attempts: 0, transactions: [] },
    };
  }

  private amount(currency: HeldCurrency, whole: bigint): Money {
    this.serial += 1;
    return Money.fromUnits(currency, whole * UNITS_PER_ONE + BigInt(this.serial) * UNITS_PER_CENT);
  }
}

const idOf = (customerId: string | null) => (customerId === null ? {} : { customer_id: customerId });
