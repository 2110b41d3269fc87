/**
 * The merchant who must notice nothing: one reader and one writer, each of which asks for one thing after the other, and
 * an endpoint of its own to which its deposits are delivered. Every second request opens a connection of its own, since
 * merchants' programs do either.
 */
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { Callers } from '@stablecoin/testing/callers';
import { BANK } from '@stablecoin/testing/journey';
import { type Answer, type Ask, dataOf, MerchantClient, UnansweredRequest } from '@stablecoin/testing/merchant-client';
import { individual } from '@stablecoin/testing/person';
import { WebhookReceiver } from '@stablecoin/testing/webhook-receiver';

/** Far from the limits: at most this often a second, for each of the two. */
const PAUSE_MS = 30;
/** An event that has not arrived by then counts as an error. */
const DELIVERED_WITHIN_MS = 10_000;
const POLL_MS = 25;
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

export const KINDS = ['read', 'write', 'delivery'] as const;
export type Kind = (typeof KINDS)[number];

/** One request of the victim, or one event on its way to it. */
export interface Observation {
  kind: Kind;
  ms: number;
  error?: string;
}

export interface VictimAccount {
  apiKey: string;
  customerId: string;
  walletId: string;
}

type Turn = (ask: Ask) => Promise<unknown>;

export class Victim {
  private observations: Observation[] = [];
  private readonly client: MerchantClient;
  private readonly callers = new Callers();
  private readonly receiver: WebhookReceiver;
  private readonly turns: Record<'read' | 'write', readonly Turn[]>;
  /** Transactions of acknowledged deposits, each of which an event must tell of. */
  private readonly awaited = new Set<string>();
  private asked = 0;
  private startedAt = 0;
  /** Whether it registers customers with documents as well. */
  private uploads = false;

  private constructor(baseUrl: string, account: VictimAccount, receiver: WebhookReceiver) {
    this.receiver = receiver;
    this.client = new MerchantClient({ baseUrl, apiKey: account.apiKey, connections: 2, drawsIdempotencyKeys: true });
    this.turns = turnsOf(account, (id) => this.awaited.add(id));
  }

  static async begin(baseUrl: string, account: VictimAccount): Promise<Victim> {
    const receiver = await WebhookReceiver.start();
    const victim = new Victim(baseUrl, account, receiver);
    await dataOf(victim.client.post('/webhooks', { url: receiver.url(), events: ['deposit.completed'] }));
    return victim;
  }

  /** What it notices from now on, while `work` goes on; all of it is over when this resolves. */
  async during<Result>(
    work: () => Promise<Result>,
    { uploads = false } = {},
  ): Promise<{ observations: Observation[]; result: Result }> {
    this.uploads = uploads;
    this.startedAt = Date.now();
    this.observations = [];
    this.awaited.clear();
    const firstEvent = this.receiver.received.length;
    this.callers.start(2, (number, caller) => this.turn(caller === 0 ? 'read' : 'write', number));
    try {
      const result = await work();
      await this.callers.stop();
      await this.untilDelivered(firstEvent);
      return { observations: [...this.observations, ...this.deliveriesFrom(firstEvent)], result };
    } finally {
      await this.callers.stop();
    }
  }

  /** Those of its requests that are over. */
  get noticed(): readonly Observation[] {
    return this.observations;
  }

  async end(): Promise<void> {
    this.client.close();
    await this.receiver.stop();
  }

  private async turn(kind: 'read' | 'write', number: number): Promise<void> {
    const turns = kind === 'write' && this.uploads ? [...this.turns.write, upload] : this.turns[kind];
    // What is refused or breaks is noted where it is asked.
    await turns[number % turns.length]?.(this.askAs(kind)).catch(() => undefined);
    await delay(PAUSE_MS);
  }

  private askAs(kind: 'read' | 'write'): Ask {
    return async <Data>(method: string, path: string, body?: object): Promise<Answer<Data>> => {
      const askedAt = performance.now();
      const note = (error?: string) => {
        this.observations.push({ kind, ms: performance.now() - askedAt, ...(error !== undefined && { error }) });
      };
      this.asked += 1;
      const headers = this.asked % 2 === 0 ? { connection: 'close' } : undefined;
      try {
        const answer = await this.client.send<Data>(method, path, body, { ...(headers && { headers }) });
        note(answer.status < 300 ? undefined : errorOf(method, path, `${answer.status} ${answer.body.code ?? ''}`));
        return answer;
      } catch (error) {
        note(errorOf(method, path, error instanceof UnansweredRequest ? error.reason : String(error)));
        throw error;
      }
    };
  }

  private async untilDelivered(from: number): Promise<void> {
    const deadline = performance.now() + DELIVERED_WITHIN_MS;
    while (this.missing(from).length > 0 && performance.now() < deadline) await delay(POLL_MS);
  }

  private missing(from: number): string[] {
    const arrived = new Set(this.receiver.received.slice(from).map(({ event }) => event.data['id']));
    return [...this.awaited].filter((id) => !arrived.has(id));
  }

  private deliveriesFrom(from: number): Observation[] {
    // An event from before may come late: it was missed then.
    const events = this.receiver.received.slice(from);
    const ofNow = events.filter(({ event }) => Date.parse(event.created_at) >= this.startedAt);
    const delivered = ofNow.map(({ event, at }): Observation => {
      return { kind: 'delivery', ms: at - Date.parse(event.created_at) };
    });
    const error = `an event did not arrive within ${DELIVERED_WITHIN_MS / 1_000} s`;
    const lost = this.missing(from).map((): Observation => ({ kind: 'delivery', ms: DELIVERED_WITHIN_MS, error }));
    return [...delivered, ...lost];
  }
}

/** A small document, and yet larger than the bodies of other routes may be. */
const DOCUMENT = `data:image/jpeg;base64,${Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(150_000)]).toString('base64')}`;

const upload: Turn = (ask) => {
  const document = { doc_type: 'valid_ids', sub_type: 'front', doc_country: 'NG', doc_image: DOCUMENT };
  return dataOf(ask('POST', '/individual-customers', individual({ documents: [document] })));
};

/** Alike for all resources of a kind, so that equal errors can be counted. */
const errorOf = (method: string, path: string, what: string): string =>
  `${method} ${path.replace(UUID, '{id}')}: ${what}`.trim();

function turnsOf({ customerId, walletId }: VictimAccount, onDeposit: (transactionId: string) => void) {
  const owner = { customer_id: customerId };
  const pair = { ...owner, from_currency: 'USDT', to_currency: 'NGN', amount: '1' };
  const read: Turn[] = [
    (ask) => dataOf(ask('GET', `/wallets/${walletId}`)),
    (ask) => dataOf(ask('GET', '/transactions?limit=10')),
  ];
  const write: Turn[] = [
    async (ask) => {
      const { id } = await dataOf(
        ask<{ id: string }>('POST', '/sandbox/deposits', { wallet_id: walletId, amount: '5' }),
      );
      onDeposit(id);
    },
    async (ask) => {
      const quote = await dataOf(ask<{ data: { id: string } }>('POST', '/instant-swaps', pair));
      await dataOf(ask('POST', '/swaps', { ...pair, quote_id: quote.data.id }));
    },
    (ask) => dataOf(ask('POST', '/payouts/banks', { ...owner, currency: 'USDT', amount: '1', ...BANK })),
    (ask) => dataOf(ask('POST', '/individual-customers', individual())),
  ];
  return { read, write };
}
