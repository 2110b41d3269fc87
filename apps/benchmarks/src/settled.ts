import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { MerchantClient } from '@stablecoin/testing/merchant-client';

const TIMEOUT_MS = 120_000;
const POLL_MS = 250;

/** Until no payout is PENDING: what was accepted is done to the end, and does not slow the next measurement. */
export async function settled(service: MerchantClient): Promise<void> {
  const until = performance.now() + TIMEOUT_MS;
  for (;;) {
    const { body } = await service.get('/transactions?status=PENDING&limit=1');
    const pending = body.pagination?.['total'];
    if (pending === 0) return;
    if (performance.now() > until) throw new Error(`${String(pending)} payouts were not settled in time`);
    await delay(POLL_MS);
  }
}
