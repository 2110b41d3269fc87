/** What goes on by itself: payouts are settled and webhooks delivered, each by a timer that takes what is due. */
import { createHmac } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { Accounts } from './accounts';
import { PlainDatabase } from './database';
import type { Delivery, Endpoint, Event } from './generated/client';

const EVERY_MS = 50;
const TAKEN_MAX = 100;
const SIDE_BY_SIDE = 8;
const ENDPOINT_CONNECTIONS = 32;

type Due = Delivery & { event: Event; endpoint: Endpoint };

@Injectable()
export class Timers implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: ENDPOINT_CONNECTIONS });
  private isOver = false;

  constructor(
    private readonly database: PlainDatabase,
    private readonly accounts: Accounts,
  ) {}

  onApplicationBootstrap(): void {
    void this.every(() => this.settleDue());
    void this.every(() => this.deliverDue());
  }

  onApplicationShutdown(): void {
    this.isOver = true;
    this.agent.destroy();
  }

  private async every(work: () => Promise<number>): Promise<void> {
    while (!this.isOver) if ((await work()) === 0) await delay(EVERY_MS);
  }

  private async settleDue(): Promise<number> {
    const due = await this.database.transaction.findMany({
      ...{ where: { status: 'PENDING', settleAt: { lte: new Date() } }, orderBy: { settleAt: 'asc' } },
      ...{ take: TAKEN_MAX, select: { id: true } },
    });
    await sideBySide(due, ({ id }) => this.settle(id));
    return due.length;
  }

  /** One transaction for each; one that is settled already is left alone. */
  private settle(id: string): Promise<void> {
    return this.accounts.transaction(async (within) => {
      const claimed = await within.transaction.updateMany({
        where: { id, status: 'PENDING' },
        data: { status: 'COMPLETED', settleAt: null },
      });
      if (claimed.count === 0) return;
      const payout = await within.transaction.findUniqueOrThrow({ where: { id } });
      const { amount } = payout;
      const [clearing, external] = await this.accounts.lockPair(within, payout, ['clearing', 'external']);
      await this.accounts.post(within, id, [
        { account: clearing, by: amount.neg() },
        { account: external, by: amount },
      ]);
      await this.accounts.tell(within, 'payout.completed', payout);
    });
  }

  private async deliverDue(): Promise<number> {
    const due = await this.database.delivery.findMany({
      ...{ where: { status: 'pending', dueAt: { lte: new Date() } }, orderBy: { dueAt: 'asc' }, take: TAKEN_MAX },
      include: { event: true, endpoint: true },
    });
    await Promise.all(due.map((delivery) => this.deliver(delivery)));
    return due.length;
  }

  private async deliver({ id, event, endpoint }: Due): Promise<void> {
    const status = await this.post(event, endpoint);
    if (status >= 200 && status < 300)
      await this.database.delivery.updateMany({
        where: { id },
        data: { status: 'delivered', dueAt: null, attempts: { increment: 1 } },
      });
  }

  private post({ id, type, data, createdAt }: Event, { url, secret }: Endpoint): Promise<number> {
    const body = JSON.stringify({ id, type, created_at: createdAt, data });
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
    const headers = {
      ...{ 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      ...{ 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` },
    };
    return new Promise((resolve, reject) => {
      const sent = request(url, { method: 'POST', agent: this.agent, headers }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
      });
      sent.on('error', reject).end(body);
    });
  }
}

async function sideBySide<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  const one = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, one));
}
