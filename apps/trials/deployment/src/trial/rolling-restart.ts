// Restarts every instance of the scaled services, one after the other, while merchants send requests through a load
// balancer. No request may fail.

import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import type { Tell } from '@stablecoin/command-line/terminal';
import { Load, type Turn } from '@stablecoin/testing/load';
import { LoadBalancer } from '@stablecoin/testing/load-balancer';
import { MerchantClient } from '@stablecoin/testing/merchant-client';
import type { Deployment } from '../running/deployment';

const RESTARTED = ['wallet-ledger', 'gateway'];
const CALLERS = 4;
const STEADY_MS = 1_000;
const FAILURES_SHOWN = 5;

export interface RestartFigures {
  requests: number;
  failed: number;
  slowest_ms: number;
}

/** The merchant whose wallet the load is on. */
export interface LoadedMerchant {
  apiKey: string;
  walletId: string;
}

export async function rollingRestart(
  deployment: Deployment,
  { apiKey, walletId }: LoadedMerchant,
  tell: Tell,
): Promise<RestartFigures> {
  const balancer = new LoadBalancer(() => deployment.gatewayOrigins());
  const load = new Load(new MerchantClient({ baseUrl: `${await balancer.start()}/api`, apiKey }));
  const { figures } = load;
  load.start({ turns: turnsOn(walletId), callers: CALLERS });
  try {
    await sleep(STEADY_MS);
    for (const container of RESTARTED.flatMap((name) => deployment.instances(name))) {
      const ending = await container.stop();
      if (ending?.code !== 0)
        throw new OperatorError(`${container.title} ended with ${ending?.code ?? 'nothing'}, instead of 0.`);
      await container.start();
      await sleep(STEADY_MS);
      tell(`${figures.requests} requests, ${figures.failures.length} failed`);
    }
  } finally {
    await load.stop();
    await balancer.stop();
  }
  const { requests, failures, slowestMs } = figures;
  if (failures.length > 0)
    throw new OperatorError(
      `${failures.length} of ${requests} requests failed:\n  ${failures.slice(0, FAILURES_SHOWN).join('\n  ')}`,
    );
  return { requests, failed: 0, slowest_ms: slowestMs };
}

const turnsOn = (walletId: string): Turn[] => [
  (ask) => ask('POST', '/sandbox/deposits', { wallet_id: walletId, amount: '1' }),
  (ask) => ask('GET', `/wallets/${walletId}`),
];
