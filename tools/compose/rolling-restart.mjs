// Every instance of a scaled service is asked to end and started again, one after the other, while merchants keep
// asking. Between the merchants and the gateways stands what a load balancer does: it asks each gateway for /health/ready,
// and sends requests to those only that said yes. No request may fail.

import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from '../stack/terminal.mjs';

const RESTARTED = ['wallet-ledger', 'gateway'];
const CALLERS = 4;
const HEALTH_EVERY_MS = 200;
const HEALTH_TIMEOUT_MS = 1_000;
const STEADY_MS = 1_000;
const FAILURES_SHOWN = 5;

export async function rollingRestart(deployment, { client, wallet_id }, tell) {
  const balancer = new Balancer(() => deployment.gatewayOrigins());
  await balancer.start();
  const load = new Load(
    client(() => balancer.ready),
    wallet_id,
  );
  load.start();
  try {
    await sleep(STEADY_MS);
    for (const container of RESTARTED.flatMap((name) => deployment.instancesOf(name))) {
      const { code, ms } = await container.stop();
      if (code !== 0) throw new Refusal(`${container.title} ended with ${code} after ${ms} ms, instead of 0.`);
      await container.start();
      await sleep(STEADY_MS);
      tell(`${load.requests} requests, ${load.failures.length} failed`);
    }
  } finally {
    await load.stop();
    await balancer.stop();
  }
  const { requests, failures, slowest_ms } = load;
  if (failures.length > 0)
    throw new Refusal(
      `${failures.length} of ${requests} requests failed:\n  ${failures.slice(0, FAILURES_SHOWN).join('\n  ')}`,
    );
  return { requests, failed: 0, slowest_ms };
}

class Balancer {
  ready = [];

  constructor(origins) {
    this.origins = origins;
  }

  async start() {
    this.watching = true;
    await this.look();
    this.done = this.watch();
  }

  async watch() {
    while (this.watching) {
      await sleep(HEALTH_EVERY_MS);
      await this.look();
    }
  }

  async look() {
    const origins = this.origins();
    const answers = await Promise.all(origins.map(isReady));
    this.ready = origins.filter((_, index) => answers[index]);
  }

  async stop() {
    this.watching = false;
    await this.done;
  }
}

async function isReady(origin) {
  const answer = await fetch(`${origin}/health/ready`, { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) }).catch(
    () => undefined,
  );
  return answer?.ok === true;
}

class Load {
  requests = 0;
  failures = [];
  slowest_ms = 0;

  constructor(call, wallet_id) {
    Object.assign(this, { call, wallet_id });
  }

  start() {
    this.running = true;
    this.callers = Array.from({ length: CALLERS }, (_, index) => this.keepAsking(index));
  }

  async keepAsking(index) {
    while (this.running) {
      const isWrite = (index + this.requests) % 2 === 0;
      await (isWrite
        ? this.ask('POST', '/sandbox/deposits', { wallet_id: this.wallet_id, amount: '1' })
        : this.ask('GET', `/wallets/${this.wallet_id}`));
    }
  }

  async ask(method, path, body) {
    const askedAt = Date.now();
    this.requests += 1;
    try {
      const { status, body: answer } = await this.call(method, path, body);
      if (status >= 300) this.failures.push(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
    } catch (error) {
      this.failures.push(`${method} ${path}: ${error.cause?.code ?? error.message}`);
    }
    this.slowest_ms = Math.max(this.slowest_ms, Date.now() - askedAt);
  }

  async stop() {
    this.running = false;
    await Promise.all(this.callers);
  }
}
