/**
 * The merchants at work: operations arrive at a steady pace whether or not the service keeps up, up to a bound on those
 * that are open. Each is asked for until its outcome is known:
 *
 *   200 → acknowledged, with the answer; 4xx → refused; anything else (503, a broken connection, no answer) → unknown,
 *   and after a growing pause, as long as the answer asks for or longer, the same is asked again under the same key
 *
 * Some acknowledged operations are sent once more, and must get the same answer. Part of the payouts are followed to
 * their end. Each success is reported to `Recoveries`, with the moment at which its request was sent.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Money } from '@stablecoin/money/money';
import { Drawing } from '../../drawing';
import { Arrival, Arrivals } from './arrivals';
import { DrawnOperations } from './draw-operation';
import { Attempt, MeasuredClient } from './measured-client';
import { HELD_CURRENCIES, HeldCurrency, Merchant } from './merchants';
import { described, Operation, OperationKind } from './operation';

/** Operations; most are several requests. Faults are to be met here, and not the limits of the machine. */
const ARRIVALS_PER_SECOND = 25;
const TICK_MS = 20;
/** Operations whose outcome is not yet known: so many more wait for an outage to end, and no further ones arrive. */
const OPEN_MAX = 120;
const FIRST_PAUSE_MS = 150;
const PAUSE_MS_MAX = 3_000;
const REPEATED_ONE_IN = 20;
const FOLLOW_PAUSE_MS = 400;
/** No accepted operation takes longer to end, whatever happens: one that does is stuck, and the oracle reports it. */
const FOLLOW_MAX_MS = 120_000;
/** Other conflicts are final: a quote that is used stays so. */
const NOT_NOW = new Set(['idempotency_in_flight', 'rate_limited']);
/** The price of a quote does not outlive an outage of a minute: then nothing may have been swapped. */
const REFUSED_AFTER_OUTAGE = new Set(['quote_expired']);

interface Told {
  id: string;
  transaction_id: string;
  amount: string;
  status: string;
}

interface ToldSwap {
  swapId: string;
  debitTransaction: Told;
  creditTransaction: Told;
}

type Succeeded = (kind: OperationKind, shard: number, sentAt: number) => void;

export class Traffic {
  readonly operations: Operation[] = [];
  /** Answers that contradict the model. */
  readonly contradictions: string[] = [];
  private readonly drawn: DrawnOperations;
  private readonly underWay = new Set<Promise<void>>();
  private timer: NodeJS.Timeout | undefined;
  private giveUpAt = Infinity;
  private due = 0;

  constructor(
    private readonly client: MeasuredClient,
    private readonly merchants: readonly Merchant[],
    private readonly arrivals: Arrivals,
    private readonly draw: Drawing,
    private readonly onSuccess: Succeeded,
  ) {
    this.drawn = new DrawnOperations(draw);
  }

  get open(): number {
    return this.underWay.size;
  }

  /** Money in every wallet, before any fault. */
  async fund(): Promise<void> {
    const first = this.merchants.flatMap((merchant) =>
      merchant.owners.flatMap((owner) =>
        HELD_CURRENCIES.map((currency) => this.deposit(this.drawn.deposit(merchant, { owner, currency }))),
      ),
    );
    await Promise.all(first);
  }

  start(): void {
    let last = performance.now();
    this.timer = setInterval(() => {
      const now = performance.now();
      this.due = Math.min(this.due + ((now - last) * ARRIVALS_PER_SECOND) / 1_000, ARRIVALS_PER_SECOND);
      last = now;
      for (; this.due >= 1; this.due -= 1) if (this.underWay.size < OPEN_MAX) this.begin();
    }, TICK_MS);
  }

  /** No further arrivals; resolves when every outcome is known, or when the time for it is over. */
  async end(timeoutMs: number): Promise<void> {
    clearInterval(this.timer);
    this.giveUpAt = Date.now() + timeoutMs;
    await Promise.all(this.underWay);
  }

  private begin(): void {
    const work = this.perform(this.arrivals.next())
      .catch((error: unknown) => this.contradict(`the harness itself failed: ${stackOf(error)}`))
      .finally(() => this.underWay.delete(work));
    this.underWay.add(work);
  }

  private perform({ kind, merchant, followed }: Arrival): Promise<void> {
    switch (kind) {
      case 'deposit':
        return this.deposit(this.drawn.deposit(merchant));
      case 'payout':
        return this.payOut(this.drawn.payout(merchant), followed);
      case 'swap':
        return this.swap(this.drawn.swap(merchant));
      case 'read':
        return this.read(merchant);
    }
  }

  private async deposit(operation: Operation): Promise<void> {
    const told = await this.untilKnown<Told>(operation);
    if (told) this.acknowledge(operation, [told]);
    if (told) await this.perhapsRepeat(operation);
  }

  private async payOut(operation: Operation, followed: boolean): Promise<void> {
    const told = await this.untilKnown<Told>(operation);
    if (!told) return;
    this.acknowledge(operation, [told]);
    await this.perhapsRepeat(operation);
    if (followed) await this.follow(operation, told.transaction_id);
  }

  private async swap(operation: Operation & { to: HeldCurrency }): Promise<void> {
    const quote = await this.quote(operation);
    if (!quote) return;
    operation.body = { ...operation.body, quote_id: quote.id };
    operation.swapId = quote.id;
    operation.brings = Money.parse(operation.to, quote.to_amount);
    const told = await this.untilKnown<ToldSwap>(operation);
    if (!told) return;
    this.acknowledge(operation, [told.debitTransaction, told.creditTransaction]);
    if (told.swapId !== quote.id) this.contradict(`${described(operation)}: swapId is not its quote's ${quote.id}`);
    await this.perhapsRepeat(operation);
  }

  /** A quote moves nothing; it is asked for until there is one. */
  private async quote(swap: Operation): Promise<{ id: string; to_amount: string } | undefined> {
    const { apiKey, shard } = swap.merchant;
    const idempotencyKey = randomUUID();
    const asked = { method: 'POST', path: '/instant-swaps', apiKey, body: swap.body, idempotencyKey } as const;
    for (let pauseMs = FIRST_PAUSE_MS; Date.now() < this.giveUpAt; pauseMs = longer(pauseMs)) {
      const attempt = await this.client.send<{ data: { id: string; to_amount: string } }>(asked);
      if (attempt.status === 200) {
        this.onSuccess('quote', shard, attempt.beganAt);
        return attempt.data?.data;
      }
      if (isFinal(attempt)) {
        this.contradict(`a quote for ${described(swap)}: ${attempt.status} ${attempt.code}`);
        return undefined;
      }
      await this.pause(Math.max(pauseMs, attempt.retryAfterMs));
    }
    return undefined;
  }

  /** @returns the answer of a success; undefined when the operation was refused, or stays unknown */
  private async untilKnown<Data>(operation: Operation): Promise<Data | undefined> {
    operation.beganAt = Date.now();
    this.operations.push(operation);
    for (let pauseMs = FIRST_PAUSE_MS; Date.now() < this.giveUpAt; pauseMs = longer(pauseMs)) {
      const attempt = await this.ask<Data>(operation);
      if (attempt.status === 200) {
        operation.acknowledgedBy = attempt.beganAt;
        this.onSuccess(operation.kind, operation.merchant.shard, attempt.beganAt);
        return attempt.data;
      }
      if (isFinal(attempt)) {
        this.refuse(operation, attempt);
        return undefined;
      }
      await this.pause(Math.max(pauseMs, attempt.retryAfterMs));
    }
    return undefined;
  }

  private ask<Data>(operation: Operation): Promise<Attempt<Data>> {
    const { path, body, key, merchant } = operation;
    operation.attempts += 1;
    return this.client.send<Data>({ method: 'POST', path, body, apiKey: merchant.apiKey, idempotencyKey: key });
  }

  private acknowledge(operation: Operation, told: readonly Told[]): void {
    operation.outcome = 'acknowledged';
    operation.transactions = told.map(({ id }) => id);
    if (told[0]?.amount !== operation.amount.toString())
      this.contradict(`${described(operation)}: told ${told[0]?.amount}`);
    if (operation.expected !== 'acknowledged') this.contradict(`${described(operation)}: more than there was`);
  }

  private refuse(operation: Operation, { code }: Attempt): void {
    operation.outcome = 'refused';
    operation.code = code;
    const expected =
      operation.expected === 'refused' ? code === 'insufficient_funds' : REFUSED_AFTER_OUTAGE.has(code ?? '');
    if (!expected) this.contradict(`${described(operation)}: not to be refused`);
  }

  /** An operation that took effect gets the same answer again, and does not take effect again. */
  private async perhapsRepeat(operation: Operation): Promise<void> {
    if (this.draw.next() >= 1 / REPEATED_ONE_IN) return;
    const attempt = await this.ask<Partial<Told & ToldSwap>>(operation);
    if (isNotNow(attempt)) return;
    const { status, code, data } = attempt;
    const ids = data?.swapId ? [data.debitTransaction?.id, data.creditTransaction?.id] : [data?.id];
    if (status === 200 && ids.join() === operation.transactions.join()) return;
    this.contradict(`${described(operation)}: asked again, it was ${status} ${code ?? ids.join()}`);
  }

  private async follow(operation: Operation, transactionId: string): Promise<void> {
    const { apiKey, shard } = operation.merchant;
    const path = `/customers/transactions/by_txid/${transactionId}`;
    const until = Date.now() + FOLLOW_MAX_MS;
    while (Date.now() < Math.min(until, this.giveUpAt)) {
      await delay(FOLLOW_PAUSE_MS);
      const { status, data, beganAt } = await this.client.send<Told>({ method: 'GET', path, apiKey });
      if (status === 200) this.onSuccess('read', shard, beganAt);
      if (status === 200 && data?.status === operation.ends) {
        this.onSuccess('settlement', shard, operation.acknowledgedBy ?? operation.beganAt);
        return;
      }
    }
  }

  private async read(merchant: Merchant): Promise<void> {
    const { apiKey, shard } = merchant;
    const wallet = this.draw.oneOf(merchant.owners).wallets[this.draw.oneOf(HELD_CURRENCIES)];
    const path = this.draw.oneOf([`/wallets/${wallet}`, '/transactions?limit=20', '/wallets', '/customers']);
    const { status, beganAt } = await this.client.send({ method: 'GET', path, apiKey });
    if (status === 200) this.onSuccess('read', shard, beganAt);
  }

  private pause(milliseconds: number): Promise<void> {
    return delay(milliseconds * this.draw.between(1, 1.5));
  }

  private contradict(finding: string): void {
    this.contradictions.push(finding);
  }
}

const stackOf = (error: unknown) => (error instanceof Error ? error.stack : String(error));

const longer = (pauseMs: number): number => Math.min(pauseMs * 2, PAUSE_MS_MAX);

const isNotNow = ({ status, code }: Attempt): boolean =>
  status === undefined || status === 408 || status === 503 || NOT_NOW.has(code ?? '');

const isFinal = (attempt: Attempt): boolean =>
  attempt.status !== undefined && attempt.status >= 400 && attempt.status < 500 && !isNotNow(attempt);
