/**
 * The load of merchants' programs: they deposit, pay out, swap, onboard and read, each request with its own key. A
 * request without an answer is sent again under the same key, as merchants should do. Acknowledged operations are kept,
 * with their times.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Callers } from '@stablecoin/testing/callers';
import { BANK } from '@stablecoin/testing/journey';
import { type Sender, UnansweredRequest } from '@stablecoin/testing/merchant-client';
import { individualWithDocument } from '@stablecoin/testing/person';

const CALLERS = 8;
const PAUSE_MS = 25;
const RETRY_MS = 100;
const GIVEN_UP_AFTER_MS = 90_000;
const MONEY = '1000000';
const PAYOUT = { ...BANK, currency: 'USD', amount: '1', recipient_currency: 'USD' };
const PAIR = { from_currency: 'USD', to_currency: 'NGN', amount: '1' };
const UNAVAILABLE = 503;
/** The status of a request without an answer. */
const NO_STATUS = 0;
/** The price got too old during an outage: the load requests another one, as a merchant would. */
const OF_ITS_TIME = 'quote_expired';
const IN_FLIGHT = 'idempotency_in_flight';
/** The kinds of writes that a fault may interrupt; each must be acknowledged again after it. */
const WRITES = ['payout', 'deposit', 'swap', 'customer'] as const;

export type WriteKind = (typeof WRITES)[number];
type Kind = WriteKind | 'wallet' | 'quote' | 'read';

export interface LoadedMerchant {
  id: string;
  client: Sender;
}

export interface Acknowledged {
  kind: Kind;
  id: string | undefined;
  /** By the clock. */
  at: number;
  /** From the first request to its answer. */
  tookMs: number;
}

/** The effect of a fault: the time until the first and until the last kind of write was acknowledged again. */
export interface Recovery {
  first_ms: number;
  all_ms: number;
  /** The longest that any request has waited since. */
  longest_ms: number;
}

/** The fields of an answer's data that are read. */
interface Told {
  id?: string;
  swapId?: string;
  data?: { id: string };
}

interface Sent {
  status: number;
  code: string | undefined;
  text: string;
  data: Told | undefined;
}

interface Asked {
  kind: Kind;
  client: Sender;
  method: 'GET' | 'POST';
  path: string;
  body?: object;
}

export class RetryingLoad {
  requests = 0;
  sentAgain = 0;
  slowestMs = 0;
  /** Requests that were neither accepted nor may be sent again. */
  readonly failures: string[] = [];
  readonly acknowledged: Acknowledged[] = [];
  private readonly callers = new Callers();
  private turns: (() => Promise<unknown>)[][] = [];

  constructor(readonly merchants: readonly LoadedMerchant[]) {}

  /** Gives each merchant wallets and money. */
  async prepare(): Promise<void> {
    for (const { client } of this.merchants) {
      const post = (kind: Kind, path: string, body: object) => this.done({ kind, client, method: 'POST', path, body });
      const wallet = await post('wallet', '/wallets', { currency: 'USD' });
      await post('wallet', '/wallets', { currency: 'NGN' });
      await post('deposit', '/sandbox/deposits', { wallet_id: wallet?.id, amount: MONEY });
      this.turns.push(this.turnsOf(client, wallet?.id));
    }
  }

  start(): void {
    this.callers.start(CALLERS, async (number, caller) => {
      const own = this.turns[caller % this.turns.length] ?? [];
      await own[number % own.length]?.();
      await delay(PAUSE_MS);
    });
  }

  stop(): Promise<void> {
    return this.callers.stop();
  }

  ids(kind: WriteKind): string[] {
    return this.acknowledged.flatMap((each) => (each.kind === kind && each.id !== undefined ? [each.id] : []));
  }

  /** The effect of a fault at `moment` so far; undefined until every kind of write has been acknowledged since. */
  recoveryFrom(moment: number): Recovery | undefined {
    const later = this.acknowledged.filter(({ at }) => at >= moment);
    const firsts = WRITES.flatMap(
      (kind) => later.find((each) => each.kind === kind && each.at - each.tookMs >= moment)?.at ?? [],
    );
    if (firsts.length < WRITES.length) return undefined;
    return {
      first_ms: Math.min(...firsts) - moment,
      all_ms: Math.max(...firsts) - moment,
      longest_ms: Math.max(...later.map(({ tookMs }) => tookMs)),
    };
  }

  private turnsOf(client: Sender, wallet_id: string | undefined): (() => Promise<unknown>)[] {
    const post = (kind: Kind, path: string, body: object) => this.done({ kind, client, method: 'POST', path, body });
    const read = (path: string) => this.done({ kind: 'read', client, method: 'GET', path });
    return [
      () => post('payout', '/payouts/banks', PAYOUT),
      () => read(`/wallets/${wallet_id}`),
      () => post('deposit', '/sandbox/deposits', { wallet_id, amount: '2' }),
      () => this.swap(client),
      () => post('payout', '/payouts/banks', PAYOUT),
      () => post('customer', '/individual-customers', individualWithDocument()),
      () => read('/transactions'),
    ];
  }

  private async swap(client: Sender): Promise<void> {
    const post = (kind: Kind, path: string, body: object) => this.done({ kind, client, method: 'POST', path, body });
    const quote = await post('quote', '/instant-swaps', PAIR);
    if (quote?.data) await post('swap', '/swaps', { ...PAIR, quote_id: quote.data.id });
  }

  /** Sends a request under the same key until its answer is final. @returns its data, if it was accepted */
  private async done(asked: Asked): Promise<Told | undefined> {
    const idempotencyKey = randomUUID();
    const begunAt = Date.now();
    const name = `${asked.method} ${asked.path}`;
    let last = '';
    while (Date.now() - begunAt < GIVEN_UP_AFTER_MS) {
      const { status, code, text, data } = await this.sent(asked, idempotencyKey);
      if (status >= 200 && status < 300) return this.took(asked.kind, data, begunAt);
      if (code === OF_ITS_TIME) return undefined;
      if (status !== NO_STATUS && status !== UNAVAILABLE && code !== IN_FLIGHT) {
        this.failures.push(`${name}: ${status} ${text}`);
        return undefined;
      }
      last = `${status} ${code ?? ''}`;
      this.sentAgain += 1;
      await delay(RETRY_MS);
    }
    this.failures.push(`${name}: given up after ${GIVEN_UP_AFTER_MS / 1_000} s; the last answer was ${last}`);
    return undefined;
  }

  private async sent({ client, method, path, body }: Asked, idempotencyKey: string): Promise<Sent> {
    const sentAt = Date.now();
    this.requests += 1;
    try {
      const { status, text, body: told } = await client.send<Told>(method, path, body, { idempotencyKey });
      return { status, text, code: told.code, data: told.data };
    } catch (error) {
      if (!(error instanceof UnansweredRequest)) throw error;
      return { status: NO_STATUS, text: '', code: error.reason, data: undefined };
    } finally {
      this.slowestMs = Math.max(this.slowestMs, Date.now() - sentAt);
    }
  }

  private took(kind: Kind, data: Told | undefined, begunAt: number): Told | undefined {
    const at = Date.now();
    this.acknowledged.push({ kind, id: data?.swapId ?? data?.id, at, tookMs: at - begunAt });
    return data;
  }
}
