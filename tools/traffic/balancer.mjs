// What a load balancer does between merchants and gateways: it asks each gateway for /health/ready, and `ready` has those
// only that said yes.

import { setTimeout as sleep } from 'node:timers/promises';

const HEALTH_EVERY_MS = 200;
const HEALTH_TIMEOUT_MS = 1_000;

export class Balancer {
  ready = [];

  /** `origins()` are the gateways that there are now. */
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
