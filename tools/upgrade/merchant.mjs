// A merchant at work while services are upgraded: deposits, swaps, payouts, new customers and reads, and what each of them
// was told, so that the books can be held against it in the end.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { BANK, journey, person } from '../traffic/journey.mjs';
import { dataOf } from '../traffic/load.mjs';

const FLOAT = 1_000_000;
const SETTLED_TIMEOUT_MS = 30_000;
const POLL_MS = 250;
const PAIR = { from_currency: 'USDT', to_currency: 'NGN', amount: '1' };
const START_BALANCE = 850;

export class Merchant {
  books = { deposited: START_BALANCE, spent: 0, payouts: [] };

  /** A customer with wallets and money, made by a whole journey. */
  static async begin(ask) {
    const merchant = new Merchant();
    Object.assign(merchant, await journey(ask));
    await merchant.deposit(ask, FLOAT);
    return merchant;
  }

  /** In turns; each is a function of `ask`. */
  turns() {
    const { customer_id, wallet_id } = this;
    const read = (path) => (ask) => dataOf(ask('GET', path));
    return [
      (ask) => this.payOut(ask),
      read(`/wallets/${wallet_id}`),
      (ask) => this.swap(ask),
      read(`/transactions?customer_id=${customer_id}`),
      (ask) => this.payOut(ask),
      read(`/customers/${customer_id}`),
      (ask) => this.deposit(ask, 1),
      (ask) => this.lookUpLast(ask),
      (ask) => dataOf(ask('POST', '/individual-customers', person())),
    ];
  }

  async deposit(ask, amount) {
    await dataOf(ask('POST', '/sandbox/deposits', { wallet_id: this.wallet_id, amount: String(amount) }));
    this.books.deposited += amount;
  }

  async swap(ask) {
    const { customer_id } = this;
    const quote = await dataOf(ask('POST', '/instant-swaps', { customer_id, ...PAIR }));
    await dataOf(ask('POST', '/swaps', { customer_id, ...PAIR, quote_id: quote.data.id }));
    this.books.spent += 1;
  }

  async payOut(ask) {
    const { customer_id } = this;
    const body = { customer_id, currency: 'USDT', amount: '1', ...BANK };
    const { transaction_id } = await dataOf(ask('POST', '/payouts/banks', body));
    this.books.spent += 1;
    this.books.payouts.push(transaction_id);
  }

  async lookUpLast(ask) {
    const last = this.books.payouts.at(-1);
    if (last !== undefined) await dataOf(ask('GET', `/customers/transactions/by_txid/${last}`));
  }

  /** Every payout that was accepted has reached its end, and the wallet holds what the answers add up to. */
  async settle(ask) {
    const { payouts, deposited, spent } = this.books;
    const pending = () => dataOf(ask('GET', `/transactions?customer_id=${this.customer_id}&status=PENDING&limit=1`));
    for (const deadline = Date.now() + SETTLED_TIMEOUT_MS; (await pending()).length > 0; await sleep(POLL_MS))
      assert.ok(Date.now() < deadline, `payouts are still pending after ${SETTLED_TIMEOUT_MS / 1000} s`);
    for (const transaction_id of payouts) {
      const { status } = await dataOf(ask('GET', `/customers/transactions/by_txid/${transaction_id}`));
      assert.equal(status, 'COMPLETED', `payout ${transaction_id} is ${status}`);
    }
    const { balance } = await dataOf(ask('GET', `/wallets/${this.wallet_id}`));
    assert.equal(balance, `${deposited - spent}.00000000`, 'the wallet does not hold what the answers add up to');
  }
}
