// Every instance of a scaled service is asked to end and started again, one after the other, while merchants keep
// asking, through what a load balancer does. No request may fail.

import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from '../stack/terminal.mjs';
import { Balancer } from '../traffic/balancer.mjs';
import { Load } from '../traffic/load.mjs';

const RESTARTED = ['wallet-ledger', 'gateway'];
const CALLERS = 4;
const STEADY_MS = 1_000;
const FAILURES_SHOWN = 5;

export async function rollingRestart(deployment, { client, wallet_id }, tell) {
  const balancer = new Balancer(() => deployment.gatewayOrigins());
  await balancer.start();
  const load = new Load(client(() => balancer.ready));
  const { figures } = load;
  load.start({ turns: turnsOf(wallet_id), callers: CALLERS });
  try {
    await sleep(STEADY_MS);
    for (const container of RESTARTED.flatMap((name) => deployment.instancesOf(name))) {
      const { code, ms } = await container.stop();
      if (code !== 0) throw new Refusal(`${container.title} ended with ${code} after ${ms} ms, instead of 0.`);
      await container.start();
      await sleep(STEADY_MS);
      tell(`${figures.requests} requests, ${figures.failures.length} failed`);
    }
  } finally {
    await load.stop();
    await balancer.stop();
  }
  const { requests, failures, slowest_ms } = figures;
  if (failures.length > 0)
    throw new Refusal(
      `${failures.length} of ${requests} requests failed:\n  ${failures.slice(0, FAILURES_SHOWN).join('\n  ')}`,
    );
  return { requests, failed: 0, slowest_ms };
}

const turnsOf = (wallet_id) => [
  (ask) => ask('POST', '/sandbox/deposits', { wallet_id, amount: '1' }),
  (ask) => ask('GET', `/wallets/${wallet_id}`),
];
