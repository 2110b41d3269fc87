/** One kind of operation, done by one way: under load, alone, and by 256 callers. */
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { percentile, sustained } from '@stablecoin/benchmarking/measure';
import { MerchantClient, RefusedRequest, successOf, UnansweredRequest } from '@stablecoin/testing/merchant-client';
import type { WebhookReceiver } from '@stablecoin/testing/webhook-receiver';
import { settled } from '../settled';
import { times } from './accounts';
import type { Alone, Load } from './goals';
import { perOperation, type ProcessorMeter, shareOf, usedBetween } from './measuring/processor-use';
import type { Account, OperationKind } from './operation-kinds';
import type { Way } from './ways/way';

const CALLERS = 32;
const MANY_CALLERS = 256;
const DELIVERED = 1_500;
const DELIVERED_WITHIN_MS = 120_000;
const ALONE = 200;
/** Until what the request before set off is over. */
const PAUSE_MS = 30;
/** After a load, until consumers of facts have caught up. */
const CATCH_UP_MS = 500;

/** A way with what was opened at it. */
export interface Opened {
  way: Way;
  client: MerchantClient;
  account: Account;
}

export const clientOf = ({ baseUrl, apiKey }: Way, connections = CALLERS): MerchantClient =>
  new MerchantClient({ baseUrl, apiKey, connections });

export class OperationLoads {
  constructor(
    private readonly meter: ProcessorMeter,
    private readonly receiver: WebhookReceiver,
  ) {}

  async warmUp(opened: Opened, kind: OperationKind, count: number): Promise<void> {
    const { send } = kind;
    if (send === undefined) {
      for (let done = 0; done < count; done += DELIVERED) await this.deliver(opened);
      return;
    }
    const { client, account } = opened;
    await times(count, () => successOf(send(client, account).then(({ answer }) => answer)));
    if (kind.settles) await settled(client);
  }

  /** @param seconds of a load by callers; deliveries are a number of their own */
  async measure(opened: Opened, kind: OperationKind, seconds: number): Promise<Load> {
    const before = this.meter.read();
    const { operations, perSecond } = await this.work(opened, kind, seconds);
    await delay(CATCH_UP_MS);
    const used = shareOf(usedBetween(before, this.meter.read()), opened.way.share);
    return { use: perOperation(used, operations), perSecond };
  }

  /** @returns how many were done, to the end, and how many in a second */
  work(opened: Opened, kind: OperationKind, seconds: number): Promise<{ operations: number; perSecond: number }> {
    return kind.send === undefined ? this.deliver(opened) : this.send(opened, kind, seconds);
  }

  private async send({ client, account }: Opened, { send, settles }: OperationKind, seconds: number) {
    const startedAt = performance.now();
    const work = async () => {
      const { answer } = (await send?.(client, account)) ?? {};
      if (answer !== undefined && answer.status >= 300) throw new RefusedRequest(answer);
    };
    const { finished: operations } = await sustained({ inFlight: CALLERS, seconds, work });
    if (settles) await settled(client);
    return { operations, perSecond: (operations * 1_000) / (performance.now() - startedAt) };
  }

  private async deliver({ way: { deliveries } }: Opened) {
    await deliveries.hold(DELIVERED, this.receiver.url());
    this.receiver.received.length = 0;
    const startedAt = Date.now();
    await deliveries.release();
    await this.receiver.atLeast(DELIVERED, '/', DELIVERED_WITHIN_MS);
    const lastAt = this.receiver.received.at(-1)?.at ?? startedAt;
    await delay(CATCH_UP_MS);
    await deliveries.clear();
    return { operations: DELIVERED, perSecond: (DELIVERED * 1_000) / (lastAt - startedAt) };
  }
}

/** One after the other, each on an idle stack; null for a delivery, which no caller asks for. */
export async function alone({ client, account }: Opened, { send }: OperationKind): Promise<Alone | null> {
  if (send === undefined) return null;
  const [lasts, firsts]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < ALONE; turn += 1) {
    await delay(PAUSE_MS);
    const begunAt = performance.now();
    const { answer, sentAt } = await send(client, account);
    const endedAt = performance.now();
    if (answer.status >= 300) throw new RefusedRequest(answer);
    lasts.push(endedAt - (sentAt ?? begunAt));
    if (sentAt !== undefined) firsts.push(sentAt - begunAt);
  }
  return { p50Ms: percentile(lasts, 50), ...(firsts.length > 0 && { firstP50Ms: percentile(firsts, 50) }) };
}

/** A closed loop of many callers: how many were answered 5xx or not at all; null for a delivery. */
export async function errorsOfMany(
  { way, account, client: polling }: Opened,
  { send, settles }: OperationKind,
  seconds: number,
): Promise<number | null> {
  if (send === undefined) return null;
  const client = clientOf(way, MANY_CALLERS);
  let errors = 0;
  const work = async () => {
    const status = await send(client, account).then(
      ({ answer }) => answer.status,
      (error: unknown) => {
        if (error instanceof UnansweredRequest) return undefined;
        throw error;
      },
    );
    if (status === undefined || status >= 500) errors += 1;
  };
  await sustained({ inFlight: MANY_CALLERS, seconds, work });
  client.close();
  if (settles) await settled(polling);
  return errors;
}

/** Operations one after the other, each to its end, for counting what each takes by itself. */
export async function oneByOne(loads: OperationLoads, opened: Opened, kind: OperationKind, count: number) {
  const { send } = kind;
  if (send === undefined) return (await loads.work(opened, kind, 0)).operations;
  for (let turn = 0; turn < count; turn += 1) {
    await successOf(send(opened.client, opened.account).then(({ answer }) => answer));
    await delay(PAUSE_MS);
  }
  if (kind.settles) await settled(opened.client);
  await delay(CATCH_UP_MS);
  return count;
}
