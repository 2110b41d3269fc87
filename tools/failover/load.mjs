// Merchants' programs at work: they deposit, pay out, swap, onboard and read, each request with a key of its own, and whatever
// was not answered is sent again under the same key, as a merchant is told to. What was acknowledged is kept, with its moment.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Callers } from '../traffic/callers.mjs';
import { BANK, person } from '../traffic/journey.mjs';

const CALLERS = 8;
const PAUSE_MS = 25;
const RETRY_MS = 100;
const GIVEN_UP_AFTER_MS = 90_000;
const MONEY = '1000000';
const PAYOUT = { ...BANK, currency: 'USD', amount: '1', recipient_currency: 'USD' };
const PAIR = { from_currency: 'USD', to_currency: 'NGN', amount: '1' };
/** Prices that got too old while nobody answered: another is asked for, as a merchant would. */
const OF_ITS_TIME = new Set(['quote_expired']);

export class Load {
  requests = 0;
  sentAgain = 0;
  slowestMs = 0;
  /** What was neither taken nor to be sent again. */
  failures = [];
  /** {kind, id, at, tookMs} of each that was acknowledged. */
  acknowledged = [];
  callers = new Callers();

  /** Each {id, call}, where call(method, path, body, key) is that of journey.mjs. */
  constructor(merchants) {
    this.merchants = merchants;
  }

  async prepare() {
    this.wallets = [];
    for (const { call } of this.merchants) {
      const wallet = await this.done('wallet', call, 'POST', '/wallets', { currency: 'USD' });
      await this.done('wallet', call, 'POST', '/wallets', { currency: 'NGN' });
      await this.done('deposit', call, 'POST', '/sandbox/deposits', { wallet_id: wallet.id, amount: MONEY });
      this.wallets.push(wallet.id);
    }
  }

  start() {
    const turns = this.merchants.map((merchant, index) => this.turnsOf(merchant, this.wallets[index]));
    this.callers.start(CALLERS, async (number, caller) => {
      const own = turns[caller % turns.length];
      await own[number % own.length]();
      await sleep(PAUSE_MS);
    });
  }

  stop() {
    return this.callers.stop();
  }

  turnsOf({ call }, wallet_id) {
    return [
      () => this.done('payout', call, 'POST', '/payouts/banks', PAYOUT),
      () => this.done('read', call, 'GET', `/wallets/${wallet_id}`),
      () => this.done('deposit', call, 'POST', '/sandbox/deposits', { wallet_id, amount: '2' }),
      () => this.swap(call),
      () => this.done('payout', call, 'POST', '/payouts/banks', PAYOUT),
      () => this.done('customer', call, 'POST', '/individual-customers', person()),
      () => this.done('read', call, 'GET', '/transactions'),
    ];
  }

  async swap(call) {
    const quote = await this.done('quote', call, 'POST', '/instant-swaps', PAIR);
    if (quote) await this.done('swap', call, 'POST', '/swaps', { ...PAIR, quote_id: quote.data.id });
  }

  /** The same request under the same key until it is answered for good; resolves to its data, if it was taken. */
  async done(kind, call, method, path, body) {
    const key = randomUUID();
    const begunAt = Date.now();
    let last;
    for (; Date.now() - begunAt < GIVEN_UP_AFTER_MS; await sleep(RETRY_MS)) {
      const { status, body: answer } = await this.sent(call, [method, path, body, key]);
      if (status >= 200 && status < 300) return this.took(kind, answer.data, begunAt);
      if (OF_ITS_TIME.has(answer?.code)) return undefined;
      if (status !== 0 && status !== 503 && answer?.code !== 'idempotency_in_flight') {
        this.failures.push(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
        return undefined;
      }
      last = `${status} ${answer?.code}`;
      this.sentAgain += 1;
    }
    this.failures.push(`${method} ${path}: given up after ${GIVEN_UP_AFTER_MS / 1000} s; the last answer was ${last}`);
    return undefined;
  }

  async sent(call, request) {
    const sentAt = Date.now();
    this.requests += 1;
    try {
      return await call(...request);
    } catch (error) {
      return { status: 0, body: { code: error.cause?.code ?? error.message } };
    } finally {
      this.slowestMs = Math.max(this.slowestMs, Date.now() - sentAt);
    }
  }

  took(kind, data, begunAt) {
    const at = Date.now();
    this.acknowledged.push({ kind, id: data?.swapId ?? data?.id, at, tookMs: at - begunAt });
    return data;
  }

  ids(kind) {
    return this.acknowledged.filter((each) => each.kind === kind).map(({ id }) => id);
  }

  /**
   * How a fault at `moment` was seen, by the time of this call: until the first and until the last kind of write was
   * acknowledged again, each begun after it, and the longest that anybody waited.
   */
  recoveryFrom(moment) {
    const later = this.acknowledged.filter(({ at }) => at >= moment);
    const firsts = ['payout', 'deposit', 'swap', 'customer'].map(
      (kind) => later.find((each) => each.kind === kind && each.at - each.tookMs >= moment)?.at,
    );
    if (firsts.includes(undefined)) return undefined;
    return {
      first_ms: Math.min(...firsts) - moment,
      all_ms: Math.max(...firsts) - moment,
      longest_ms: Math.max(...later.map(({ tookMs }) => tookMs)),
    };
  }
}
