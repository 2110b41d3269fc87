// A merchant's load while services are upgraded: deposits, swaps, payouts, new customers and reads. It keeps the answer
// to each request, so that the wallet and the payouts can be compared with them in the end.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { BANK, journey, JOURNEY_BALANCE, type Travelled } from '@stablecoin/testing/journey';
import type { Turn } from '@stablecoin/testing/load';
import { dataOf, type Ask } from '@stablecoin/testing/merchant-client';
import { individualWithDocument } from '@stablecoin/testing/person';

const FLOAT = 1_000_000;
const SETTLED_TIMEOUT_MS = 30_000;
const POLL_MS = 250;
/** What a dry run may be answered where not every service knows it: the field is unknown, or no service answers. */
const NOT_KNOWN = [400, 503];
const PAIR = { from_currency: 'USDT', to_currency: 'NGN', amount: '1' };

export class Merchant {
  /** The ids of the payouts that were accepted. */
  readonly payouts: string[] = [];
  private deposited = JOURNEY_BALANCE;
  private spent = 0;

  private constructor(private readonly travelled: Travelled) {}

  /** A customer with wallets and money, made by a whole journey. */
  static async begin(ask: Ask): Promise<Merchant> {
    const merchant = new Merchant(await journey(ask));
    await merchant.deposit(ask, FLOAT);
    return merchant;
  }

  turns(): Turn[] {
    const { customer_id, wallet_id } = this.travelled;
    const read = (path: string) => (ask: Ask) => dataOf(ask('GET', path));
    return [
      (ask) => this.payOut(ask),
      read(`/wallets/${wallet_id}`),
      (ask) => this.swap(ask),
      read(`/transactions?customer_id=${customer_id}`),
      (ask) => this.payOut(ask),
      read(`/customers/${customer_id}`),
      (ask) => this.deposit(ask, 1),
      (ask) => this.lookUpLast(ask),
      (ask) => dataOf(ask('POST', '/individual-customers', individualWithDocument())),
    ];
  }

  /**
   * Asks for a dry run of a payout and of a swap. Where old and new services work together they may be refused; taken for
   * the real thing by an older service, they would be missing from the balance in the end.
   *
   * @returns whether both were answered
   */
  async dryRun(ask: Ask): Promise<boolean> {
    const { customer_id } = this.travelled;
    await dataOf(ask('POST', '/instant-swaps', { customer_id, ...PAIR }));
    const payout = { customer_id, currency: 'USDT', amount: '1', ...BANK, dry_run: true };
    const answers = [
      await ask<{ dry_run?: boolean }>('POST', '/payouts/banks', payout),
      await ask<{ dry_run?: boolean }>('POST', '/swaps', { customer_id, ...PAIR, dry_run: true }),
    ];
    for (const { status, text, body } of answers) {
      assert.ok(status === 200 ? body.data.dry_run : NOT_KNOWN.includes(status), `a dry run was answered ${text}`);
    }
    return answers.every(({ status }) => status === 200);
  }

  /** Requires that every accepted payout has ended, and that the wallet's balance is the sum of the answers. */
  async settle(ask: Ask): Promise<void> {
    const { customer_id, wallet_id } = this.travelled;
    const pending = () =>
      dataOf(ask<unknown[]>('GET', `/transactions?customer_id=${customer_id}&status=PENDING&limit=1`));
    const deadline = Date.now() + SETTLED_TIMEOUT_MS;
    while ((await pending()).length > 0) {
      assert.ok(Date.now() < deadline, `payouts are still pending after ${SETTLED_TIMEOUT_MS / 1000} s`);
      await sleep(POLL_MS);
    }
    for (const id of this.payouts) {
      const { status } = await dataOf(ask<{ status: string }>('GET', `/customers/transactions/by_txid/${id}`));
      assert.equal(status, 'COMPLETED', `payout ${id} is ${status}`);
    }
    const { balance } = await dataOf(ask<{ balance: string }>('GET', `/wallets/${wallet_id}`));
    const expected = `${this.deposited - this.spent}.00000000`;
    assert.equal(balance, expected, 'the wallet does not hold what the answers add up to');
  }

  private async deposit(ask: Ask, amount: number): Promise<void> {
    const { wallet_id } = this.travelled;
    await dataOf(ask('POST', '/sandbox/deposits', { wallet_id, amount: String(amount) }));
    this.deposited += amount;
  }

  private async swap(ask: Ask): Promise<void> {
    const { customer_id } = this.travelled;
    const quote = await dataOf(ask<{ data: { id: string } }>('POST', '/instant-swaps', { customer_id, ...PAIR }));
    await dataOf(ask('POST', '/swaps', { customer_id, ...PAIR, quote_id: quote.data.id }));
    this.spent += 1;
  }

  private async payOut(ask: Ask): Promise<void> {
    const { customer_id } = this.travelled;
    const body = { customer_id, currency: 'USDT', amount: '1', ...BANK };
    const { transaction_id } = await dataOf(ask<{ transaction_id: string }>('POST', '/payouts/banks', body));
    this.spent += 1;
    this.payouts.push(transaction_id);
  }

  private async lookUpLast(ask: Ask): Promise<void> {
    const last = this.payouts.at(-1);
    if (last !== undefined) await dataOf(ask('GET', `/customers/transactions/by_txid/${last}`));
  }
}
