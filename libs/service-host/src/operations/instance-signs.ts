import { hostname } from 'node:os';
import { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { INSTANCE_SIGN_MS, InstanceSign, instanceSubject } from '@stablecoin/contracts/wire/instance-signs';
import { Announcements } from '@stablecoin/messaging/announcements';
import { Readiness } from './readiness';

/** Says every few seconds that this instance is there, and whether it can work: for the operator's people, and nothing depends on it. */
export class InstanceSigns implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly startedAt = new Date().toISOString();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly service: string,
    private readonly readiness: Readiness,
    private readonly announcements: Announcements,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.say(), INSTANCE_SIGN_MS);
    this.timer.unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    await this.say();
  }

  private async say(): Promise<void> {
    const { ready, phase, checks } = await this.readiness.report();
    const broken = Object.entries(checks).flatMap(([name, { ok, why = '' }]) => (ok ? [] : [`${name} ${why}`]));
    // The connection may have ended while the checks were made.
    if (phase !== 'draining' && this.timer === undefined) return;
    const instance = `${hostname()} ${process.pid}`;
    const sign: InstanceSign = { instance, started_at: this.startedAt, ready, phase, broken };
    this.announcements.announce(instanceSubject(this.service), sign);
  }
}
